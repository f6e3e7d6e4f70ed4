import { endlessPattern } from '../../../core/files/tokenizer/endless-pattern.ts';
import { ModelFileError } from './model-file-error.ts';

/**
 * Refuses a tokenizer whose patterns could hold up the model for ever.
 *
 * @param tokenizer - content of `tokenizer.json`
 * @throws ModelFileError
 */
export function requireUsablePatterns(tokenizer: unknown): void {
  const pattern = endlessPattern(tokenizer);
  if (pattern === undefined) return;
  throw new ModelFileError(
    'tokenizer.json',
    `has a pattern over which a search may never end: ${pattern}`,
  );
}
