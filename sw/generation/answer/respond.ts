import type { GenerateEvent } from '../../../src/core/operations/events.ts';
import { eventStream } from '../../http/event-stream.ts';
import { jsonStream } from '../../http/json-response.ts';
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
 * Runs the job. Returns the response at the first event or after the grace, whichever comes first.
 *
 * @throws ApiError if the job fails within that time
 */
export async function respond(
  context: JobContext,
  requested: RequestedGeneration,
): Promise<Response> {
  const { stream, encoder, view, onAnswered, ignored = [] } = requested;
  const { graceMs } = context;
  const all = await begin(context, requested, stream ? graceMs.stream : graceMs.json);
  const running = view ? seen(all, view) : all;
  const response = stream
    ? eventStream(running, encoder, onAnswered)
    : wholeAnswer(running, encoder, onAnswered);
  if (ignored.length > 0) response.headers.set(IGNORED_HEADER, ignoredHeader(ignored));
  return response;
}

function wholeAnswer(
  { each, cancel }: Running<GenerateEvent>,
  encoder: Encoder,
  onAnswered: (() => Promise<void>) | undefined,
): Response {
  return jsonStream(async () => {
    const events: GenerateEvent[] = [];
    await each((event) => void events.push(event));
    const body = encoder.body(events);
    await onAnswered?.();
    return body;
  }, cancel);
}

function seen(
  { each, cancel }: Running<GenerateEvent>,
  { hidesReasoning, includesStop }: View,
): Running<GenerateEvent> {
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
