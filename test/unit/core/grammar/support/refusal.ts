import { schemaGrammar } from '../../../../../src/core/grammar/compile.ts';
import { SchemaError } from '../../../../../src/core/grammar/schema/schema-error.ts';

/** The path at which a schema is refused; the grammar of a schema that is not. */
export function refusalOf(schema: unknown): { path: string } | string {
  try {
    return schemaGrammar(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { path: error.path };
  }
}
