import { serverError } from '../../src/core/errors/errors.ts';
import type { Take } from '../../src/core/port/engine.ts';
import type { TokensEvent } from '../../src/core/operations/events/events.ts';
import type { GenerateJob, TokensJob } from '../../src/core/operations/jobs/jobs.ts';
import { jsonAnswer } from '../http/json-response.ts';
import { runJob, type JobContext, type RequestedJob } from '../road/running-job.ts';

type RequestedTokens = RequestedJob<'tokens'>;

/** The job that counts the tokens of a generation's prompt. */
export function tokensOf(
  { model, prompt, tools, client, autoInstall }: GenerateJob,
  fieldOf: RequestedTokens['fieldOf'],
): RequestedTokens {
  const job: TokensJob = {
    op: 'tokens',
    model,
    of: prompt,
    ...(tools && { tools }),
    ...(client !== undefined && { client }),
    ...(autoInstall && { autoInstall }),
  };
  return { job, answers: 0, fieldOf };
}

/** How many tokens a prompt has, and how many the model's context holds. @throws ApiError */
export async function countTokens(
  context: JobContext,
  requested: RequestedTokens,
): Promise<{ tokens: number; contextLength: number }> {
  const event = await onlyEvent((take) => runJob(context, requested, { take }));
  return { tokens: countIn(event), contextLength: event.contextLength };
}

/** Runs the job and answers with what `body` makes of the number. The model may have to be loaded first. */
export function answerWithCount(
  context: JobContext,
  requested: RequestedTokens,
  body: (count: number) => unknown,
): Promise<Response> {
  return answerWithTokens(context, requested, (event) => body(countIn(event)));
}

/** Runs the job and answers with what `body` makes of the tokens. */
export function answerWithTokens(
  context: JobContext,
  requested: RequestedTokens,
  body: (event: TokensEvent) => unknown,
): Promise<Response> {
  return jsonAnswer(context, requested, async ({ each }) => body(await onlyEvent(each)));
}

async function onlyEvent(each: (take: Take<TokensEvent>) => Promise<void>): Promise<TokensEvent> {
  let only: TokensEvent | undefined;
  await each((event) => {
    only = event;
  });
  if (only) return only;
  throw serverError('engine_error', 'The engine ended before its answer.');
}

function countIn({ ids, count = ids.length }: TokensEvent): number {
  return count;
}
