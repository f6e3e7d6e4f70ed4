import { invalidRequest } from '../../src/core/protocol/errors.ts';
import type { AnswerFormat } from '../../src/core/protocol/jobs.ts';
import type { ChatRequest } from './chat-request.ts';

type ResponseFormat = NonNullable<ChatRequest['response_format']>;

/**
 * The format that a request asks for; undefined: free text. The engine checks the JSON Schema.
 *
 * @throws ApiError 400 if the schema is missing
 */
export function answerFormat(format: ChatRequest['response_format']): AnswerFormat | undefined {
  switch (format?.type) {
    case 'json_schema':
      return { type: 'json_schema', schema: requiredSchema(format) };
    case 'json_object':
      return format.schema == null
        ? { type: 'json_object' }
        : { type: 'json_schema', schema: format.schema };
    case 'text':
    case undefined:
      return undefined;
  }
}

function requiredSchema({ json_schema }: ResponseFormat): unknown {
  const param = 'response_format.json_schema';
  if (!json_schema) throw invalidRequest(`'${param}' is required.`, param);
  if (json_schema.schema != null) return json_schema.schema;
  throw invalidRequest(`'${param}.schema' is required.`, `${param}.schema`);
}
