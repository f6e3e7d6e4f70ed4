import { TooComplex } from './automaton.ts';
import { UnsupportedPattern } from './pattern.ts';
import { SchemaError } from '../schema/schema-error.ts';

/**
 * Runs work on patterns.
 *
 * @param path - path of the pattern, for error messages
 * @throws SchemaError if a pattern is unsupported or too complex
 */
export function withPatternErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsupportedPattern) {
      throw new SchemaError(path, `${error.message}, which is not supported.`);
    }
    if (error instanceof TooComplex) throw new SchemaError(path, 'is too complex.');
    throw error;
  }
}
