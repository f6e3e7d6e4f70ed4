import { invalidRequest } from '../../src/core/protocol/errors.ts';
import { objectGrammar } from '../../src/core/grammar/compile.ts';
import { compiledSchema } from './compiled-schemas.ts';
import type { ChatRequest } from '../request-schema.ts';

/**
 * The grammar of what a request lets the model write; undefined for free text.
 *
 * @throws ApiError 400 for a JSON Schema that is missing, wrong, or cannot be enforced
 */
export function outputGrammar(format: ChatRequest['response_format']): string | undefined {
  switch (format?.type) {
    case 'json_schema':
      return compiledSchema(requiredSchema(format), 'response_format.json_schema.schema');
    case 'json_object':
      return format.schema == null
        ? objectGrammar()
        : compiledSchema(format.schema, 'response_format.schema');
    case 'text':
    case undefined:
      return undefined;
  }
}

function requiredSchema({ json_schema }: NonNullable<ChatRequest['response_format']>): unknown {
  const param = 'response_format.json_schema';
  if (!json_schema) throw invalidRequest(`'${param}' is required.`, param);
  if (json_schema.schema != null) return json_schema.schema;
  throw invalidRequest(`'${param}.schema' is required.`, `${param}.schema`);
}
