import { countTokens, type Question } from './api-client.ts';
import { describeFailure, type TooLong } from './api-failure.ts';
import type { ApiAccess } from './api-request.ts';

/** Returns the count. If the API refuses because the text is too long: the count in its error, or Infinity. */
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
 * Finds out whether the last message alone is too long, or only the chat. The system prompt and the results of called
 * functions count with the message, because they cannot be left out.
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
