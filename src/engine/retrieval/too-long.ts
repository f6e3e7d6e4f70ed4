import { jobFault, type ApiError } from '../../core/errors/errors.ts';

/**
 * 400: a text is too long for a model.
 *
 * @param path - of the text in the part
 * @param read - its tokens, special ones included; the text itself if it is far too long to be divided into tokens
 * @param of - what the model reads within its limit, as the end of a sentence
 */
export function tooLong(
  part: 'texts' | 'query',
  path: string,
  read: number[] | string,
  maxTokens: number,
  of = '',
): ApiError {
  const isCounted = typeof read !== 'string';
  const size = `${read.length} ${isCounted ? 'tokens' : 'characters'}`;
  const most = isCounted ? `${maxTokens}` : `${maxTokens} tokens`;
  return jobFault(part, `has ${size}, and this model reads at most ${most}${of}.`, {
    path,
    code: 'context_length_exceeded',
    overflow: { ...(isCounted && { prompt: read.length }), context: maxTokens },
  });
}
