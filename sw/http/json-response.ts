import type { EventOf } from '../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import {
  firstOrGrace,
  runJob,
  starting,
  type JobContext,
  type RequestedJob,
  type Running,
  type RunningJob,
} from '../road/running-job.ts';
import { byteStream } from './byte-stream.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export function jsonResponse(body: unknown): Response {
  return new Response(stringifyExact(body), { headers: HEADERS });
}

/**
 * Runs a job and answers with one JSON document.
 *
 * @param produce - makes the document from the job's events
 * @throws ApiError if it fails within the grace
 */
export async function jsonAnswer<Op extends ApiOperation>(
  context: JobContext,
  requested: RequestedJob<Op>,
  produce: (running: RunningJob<Op>) => Promise<unknown>,
): Promise<Response> {
  return jsonOf(context, starting<Op, EventOf<Op>>(context, requested, runJob), produce);
}

/** Answers with one JSON document that is made of the events of running work. @throws ApiError as jsonAnswer */
export async function jsonOf<E>(
  context: JobContext,
  running: Running<E>,
  produce: (running: Running<E>) => Promise<unknown>,
): Promise<Response> {
  return whole(context, running, HEADERS, async () => stringifyExact(await produce(running)));
}

/**
 * Runs a job and answers when all of its answer is there, because only a status can tell that it has failed. After the
 * grace the head is sent without it, and a failure breaks the body off.
 *
 * @param produce - makes the answer from the job's events
 * @throws ApiError if it fails within the grace
 */
export async function wholeAnswer<Op extends ApiOperation>(
  context: JobContext,
  requested: RequestedJob<Op>,
  headers: Record<string, string>,
  produce: (running: RunningJob<Op>) => Promise<string>,
): Promise<Response> {
  const running = starting<Op, EventOf<Op>>(context, requested, runJob);
  return whole(context, running, headers, () => produce(running));
}

async function whole<E>(
  context: JobContext,
  running: Running<E>,
  headers: Record<string, string>,
  produce: () => Promise<string>,
): Promise<Response> {
  const text = produce();
  await firstOrGrace(text, context.graceMs.json);
  return new Response(
    byteStream(() => text, running.cancel),
    { headers },
  );
}
