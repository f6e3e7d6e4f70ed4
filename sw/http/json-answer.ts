import type { EventOf } from '../../src/core/operations/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs.ts';
import { jsonStream } from './json-response.ts';
import { begin, GRACE_MS, type Grace, type RequestedJob } from './running-job.ts';

/**
 * Runs a job and answers with one JSON document.
 *
 * @param produce - makes it of the job's events
 * @param answers - as for `begin`
 * @throws ApiError if the job fails within the grace
 */
export async function jsonAnswer<Op extends ApiOperation>(
  requested: RequestedJob<Op> & { graceMs?: Grace | undefined },
  produce: (events: AsyncIterable<EventOf<Op>>) => Promise<unknown>,
  answers = 1,
): Promise<Response> {
  const grace = (requested.graceMs ?? GRACE_MS).json;
  const { events, cancel } = await begin(requested, grace, answers);
  return jsonStream(() => produce(events), cancel);
}
