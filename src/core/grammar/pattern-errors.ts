import { TooComplex } from './automaton.ts';
import { UnsupportedPattern } from './pattern.ts';
import { invalidSchema } from './schema-error.ts';

/**
 * Runs work on patterns.
 *
 * @param path - of the pattern, for error messages
 * @throws ApiError 400 if a pattern is unsupported or too complex
 */
export function withPatternErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsupportedPattern) {
      throw invalidSchema(path, `${error.message}, which is not supported.`);
    }
    if (error instanceof TooComplex) throw invalidSchema(path, 'is too complex.');
    throw error;
  }
}
