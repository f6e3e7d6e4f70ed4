import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { ApiError } from '../../../../src/core/protocol/errors.ts';

/**
 * What the client is told of a schema that is refused; the grammar of a schema that is not.
 *
 * @throws whatever is not an ApiError
 */
export function refusalOf(schema: unknown): unknown {
  try {
    return schemaGrammar(schema, 'schema');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, param } = error.data;
    return { status, code, param };
  }
}
