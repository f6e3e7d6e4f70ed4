import type { GenerateJob } from '../../src/core/operations/jobs.ts';
import type { Context } from '../context.ts';
import type { FieldOf } from '../http/request-fields.ts';
import { clientOf } from '../model-access.ts';
import { respondWithTokens } from './tokens-response.ts';

/**
 * Answers with the number of tokens that a generation's prompt has.
 *
 * @param body - makes the answer of it
 */
export async function countTokens(
  context: Context,
  { model, prompt, tools }: GenerateJob,
  fieldOf: FieldOf,
  body: (count: number) => unknown,
): Promise<Response> {
  const job = { op: 'tokens' as const, model, of: prompt, ...(tools && { tools }) };
  return respondWithTokens(
    { ...context, job: { ...job, ...clientOf(context.key) }, fieldOf },
    ({ ids, count = ids.length }) => body(count),
  );
}
