import { serverError } from '../../src/core/errors/errors.ts';
import type { TokensEvent } from '../../src/core/operations/events.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { Grace, RequestedJob } from '../http/running-job.ts';

/** Runs the job and answers with what `body` makes of its event. The model may have to be loaded first. */
export function respondWithTokens(
  requested: RequestedJob<'tokens'> & { graceMs?: Grace | undefined },
  body: (event: TokensEvent) => unknown,
): Promise<Response> {
  const first = async (events: AsyncIterable<TokensEvent>) => {
    for await (const event of events) return body(event);
    throw serverError('engine_error', 'The engine ended before its answer.');
  };
  return jsonAnswer(requested, first, 0);
}
