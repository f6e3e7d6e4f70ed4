import type { GenerateEvent } from '../../../src/core/operations/events.ts';
import { eventStream } from '../../http/event-stream.ts';
import { jsonAnswer } from '../../http/json-response.ts';
import { begin, type JobContext, type RequestedJob, type Running } from '../../road/running-job.ts';
import { IGNORED_HEADER, ignoredHeader, type LeftOut } from '../request/left-out.ts';
import type { Encoder } from './encoder.ts';

/** Which parts of the model's output a request wants. */
export interface View {
  /** Whether to leave out the thinking. */
  hidesReasoning: boolean;
  /** Whether a stop string is part of the text that it ends. */
  includesStop: boolean;
}

/** A generation, and how it is answered. */
export interface RequestedGeneration extends RequestedJob<'generate'> {
  encoder: Encoder;
  stream: boolean;
  /** Fields of the request that were left out; undefined: none. */
  ignored?: readonly LeftOut[];
  /** Undefined: everything, as the model writes it. */
  view?: View | undefined;
  /** Called when the answer is whole, before its end is sent. */
  onAnswered?: () => Promise<void>;
}

/**
 * Runs the job. Returns the response at the first event of a stream or at the end of a whole answer, or after the grace,
 * whichever comes first.
 *
 * @throws ApiError if the job fails within that time
 */
export async function respond(
  context: JobContext,
  requested: RequestedGeneration,
): Promise<Response> {
  const { ignored = [] } = requested;
  const response = await answered(context, requested);
  if (ignored.length > 0) response.headers.set(IGNORED_HEADER, ignoredHeader(ignored));
  return response;
}

async function answered(context: JobContext, requested: RequestedGeneration): Promise<Response> {
  const { stream, encoder, onAnswered } = requested;
  const viewed = (running: Running<GenerateEvent>) => seen(running, requested.view);
  if (stream) {
    const running = await begin(context, requested, context.graceMs.stream);
    return eventStream(viewed(running), encoder, onAnswered);
  }
  return jsonAnswer(context, requested, async (running) => {
    const events: GenerateEvent[] = [];
    await viewed(running).each((event) => void events.push(event));
    const body = encoder.body(events);
    await onAnswered?.();
    return body;
  });
}

function seen(running: Running<GenerateEvent>, view: View | undefined): Running<GenerateEvent> {
  if (!view) return running;
  const { each, cancel } = running;
  const { hidesReasoning, includesStop } = view;
  return {
    cancel,
    each: (take) =>
      each(async (event) => {
        if (event.type === 'reasoning' && hidesReasoning) return;
        if (event.type === 'finish' && event.stop !== undefined && includesStop) {
          await take({ type: 'text', text: event.stop });
        }
        await take(event);
      }),
  };
}
