import type { ApiOperation } from '../../src/core/operations/jobs.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import { begin, type JobContext, type RequestedJob, type RunningJob } from '../road/running-job.ts';
import { textStream } from './byte-stream.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export function jsonResponse(body: unknown): Response {
  return new Response(stringifyExact(body), { headers: HEADERS });
}

/** One JSON document as a stream, because only a stream shows that the client disconnects. */
export function jsonStream(produce: () => Promise<unknown>, onCancel: () => void): Response {
  const body = textStream(async () => stringifyExact(await produce()), onCancel);
  return new Response(body, { headers: HEADERS });
}

/**
 * Runs a job and answers with one JSON document.
 *
 * @param produce - makes the document from the job's events
 * @throws ApiError if the job fails within the grace
 */
export async function jsonAnswer<Op extends ApiOperation>(
  context: JobContext,
  requested: RequestedJob<Op>,
  produce: (running: RunningJob<Op>) => Promise<unknown>,
): Promise<Response> {
  const running = await begin(context, requested, context.graceMs.json);
  return jsonStream(() => produce(running), running.cancel);
}
