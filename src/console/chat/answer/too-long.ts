import { countTokens, type Question } from './api-client.ts';
import { describeFailure, type TooLong } from './api-failure.ts';
import type { ApiAccess } from './api-request.ts';

/** What `count` returns; Infinity if the API refuses to count what is far too long. */
export async function countOrTooMany(count: () => Promise<number>): Promise<number> {
  try {
    return await count();
  } catch (error) {
    const { code, overflow } = describeFailure(error);
    if (code !== 'context_length_exceeded') throw error;
    return overflow?.prompt ?? Infinity;
  }
}

/**
 * Finds out why a question was refused as too long. The system prompt counts with the message: it cannot be left out,
 * and neither can the results of functions that the answer to it has called.
 *
 * @param context - tokens that the model holds; undefined: unknown
 */
export async function tooLongPart(
  api: ApiAccess,
  { model, messages }: Pick<Question, 'model' | 'messages'>,
  context = Infinity,
): Promise<TooLong> {
  const system = messages.filter(({ role }) => role === 'system');
  const alone = {
    model,
    messages: [...system, ...messages.slice(messages.findLastIndex(({ role }) => role === 'user'))],
  };
  const { signal } = new AbortController();
  const tokens = await countOrTooMany(() => countTokens(api, alone, signal));
  return tokens >= context ? 'message' : 'chat';
}
