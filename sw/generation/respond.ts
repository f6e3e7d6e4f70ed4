import { toErrorData } from '../../src/core/protocol/errors.ts';
import type { GenerateEvent } from '../../src/core/protocol/events.ts';
import { textStream } from '../http/byte-stream.ts';
import { errorBody } from '../http/error-response.ts';
import { begin, GRACE_MS, type Grace, type RequestedJob } from '../http/running-job.ts';
import type { Encoder } from './encoder.ts';

/** A generation, and how it is answered. */
export interface RequestedGeneration extends RequestedJob<'generate'> {
  encoder: Encoder;
  stream: boolean;
  graceMs?: Grace | undefined;
}

/**
 * Runs the job. The response is there at its first event or after the grace, whichever comes first.
 *
 * @throws ApiError if the job fails within that time
 */
export async function respond(requested: RequestedGeneration): Promise<Response> {
  const { encoder, job, stream, graceMs = GRACE_MS } = requested;
  const grace = stream ? graceMs.stream : graceMs.json;
  const { events, cancel } = await begin(requested, grace, job.choices);
  return stream ? eventStream(encoder, events, cancel) : jsonBody(encoder, events, cancel);
}

function eventStream(
  encoder: Encoder,
  events: AsyncGenerator<GenerateEvent>,
  onCancel: () => void,
): Response {
  const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const body = textStream(async (write) => {
    for (const value of encoder.opening()) await write(frame(value));
    try {
      for await (const event of events) {
        for (const value of encoder.chunks(event)) await write(frame(value));
      }
    } catch (error) {
      // No [DONE] after this: a stream that ends cleanly would be taken for a whole answer.
      return frame({ error: errorBody(toErrorData(error)) });
    }
    return 'data: [DONE]\n\n';
  }, onCancel);
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

/** One JSON document as a stream, because only a stream shows that the client disconnects. */
function jsonBody(
  encoder: Encoder,
  events: AsyncGenerator<GenerateEvent>,
  onCancel: () => void,
): Response {
  const body = textStream(async () => {
    const all: GenerateEvent[] = [];
    for await (const event of events) all.push(event);
    return JSON.stringify(encoder.body(all));
  }, onCancel);
  return new Response(body, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
