import { serverError } from '../../src/core/protocol/errors.ts';
import type { TokensEvent } from '../../src/core/protocol/events.ts';
import { jsonStream } from '../http/json-response.ts';
import { begin, GRACE_MS, type Grace, type RequestedJob } from '../http/running-job.ts';

/** Runs the job and answers with what `body` makes of its event. The model may have to be loaded first. */
export async function respondWithTokens(
  requested: RequestedJob<'tokens'> & { graceMs?: Grace | undefined },
  body: (event: TokensEvent) => unknown,
): Promise<Response> {
  const { events, cancel } = await begin(requested, (requested.graceMs ?? GRACE_MS).json, 0);
  return jsonStream(async () => {
    for await (const event of events) return body(event);
    throw serverError('engine_error', 'The engine ended before its answer.');
  }, cancel);
}
