import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import { eventStream } from '../../http/event-stream.ts';
import { jsonOf } from '../../http/json-response.ts';
import {
  begin,
  runJob,
  starting,
  type JobContext,
  type RequestedJob,
  type Running,
  type Work,
} from '../../road/running-job.ts';
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
export interface RequestedGeneration<E> extends RequestedJob<'generate'> {
  /** Runs the job, and reports what the encoder writes. */
  work: Work<'generate', E>;
  encoder: Encoder<E>;
  stream: boolean;
  /** Fields of the request that were left out; undefined: none. */
  ignored?: readonly LeftOut[];
  /** Called when the answer is whole, before its end is sent. */
  onAnswered?: () => Promise<void>;
  /** Called when the answer is over: whole, failed, or not wanted any more. May be called twice. */
  onEnd?: () => void;
  /**
   * Called when the client has hung up. Whether the answer is written to its end all the same. Default: it is not.
   */
  goesOn?: () => Promise<boolean>;
}

/**
 * Runs the job. Returns the response at the first event of a stream or at the end of a whole answer, or after the grace,
 * whichever comes first.
 *
 * @throws ApiError if the job fails within that time
 */
export async function respond<E>(
  context: JobContext,
  requested: RequestedGeneration<E>,
): Promise<Response> {
  const { ignored = [], onEnd } = requested;
  const response = await answered(context, requested).catch((error: unknown) => {
    onEnd?.();
    throw error;
  });
  if (ignored.length > 0) response.headers.set(IGNORED_HEADER, ignoredHeader(ignored));
  return response;
}

async function answered<E>(
  context: JobContext,
  requested: RequestedGeneration<E>,
): Promise<Response> {
  const { work, stream, encoder, onAnswered, onEnd, goesOn } = requested;
  const orGoingOn = (running: Running<E>): Running<E> =>
    goesOn ? { ...running, cancel: () => void cancelUnless(goesOn, running) } : running;
  if (stream) {
    const running = await begin(context, requested, context.graceMs.stream, work);
    return eventStream(orGoingOn(running), encoder, { onAnswered, onEnd });
  }
  const begun = orGoingOn(starting(context, requested, work));
  return jsonOf(context, begun, async (running) => {
    try {
      const events: E[] = [];
      await running.each((event) => void events.push(event));
      const body = encoder.body(events);
      await onAnswered?.();
      return body;
    } finally {
      onEnd?.();
    }
  });
}

async function cancelUnless(goesOn: () => Promise<boolean>, running: Running<unknown>) {
  if (!(await goesOn().catch(() => false))) running.cancel();
}

/** Writes what a request wants to see of the model's output; without a view, all of it. */
export function writing(view: View | undefined): Work<'generate', GenerateEvent> {
  if (!view) return runJob;
  const { hidesReasoning, includesStop } = view;
  return (context, requested, sink) =>
    runJob(context, requested, {
      take: async (event) => {
        if (event.type === 'reasoning' && hidesReasoning) return;
        if (event.type === 'finish' && event.stop !== undefined && includesStop) {
          await sink.take({ type: 'text', text: event.stop });
        }
        await sink.take(event);
      },
    });
}
