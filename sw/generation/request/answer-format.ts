import * as v from 'valibot';
import { invalidRequest } from '../../../src/core/errors/errors.ts';
import type { AnswerFormat } from '../../../src/core/operations/jobs/jobs.ts';
import { flag, object, optional, text } from '../../http/fields.ts';

/** The fields that name a format and its JSON Schema. The engine checks the schema. */
export const formatEntries = {
  type: v.picklist(
    ['text', 'json_object', 'json_schema'],
    'must be one of text, json_object, json_schema',
  ),
  schema: optional(v.unknown()),
};

/** The fields beside a `json_schema`'s schema. */
export const schemaEntries = {
  name: optional(text),
  description: optional(text),
  schema: optional(v.unknown()),
  strict: optional(flag),
};

/** The chat API's `response_format`. A schema beside json_object is as in llama.cpp's server and vLLM. */
export const responseFormat = optional(
  object({ ...formatEntries, json_schema: optional(object(schemaEntries)) }),
);

type ResponseFormat = v.InferOutput<typeof responseFormat>;

/** @throws as answerFormat */
export function responseAnswerFormat(format: ResponseFormat): AnswerFormat | undefined {
  const param = 'response_format.json_schema';
  if (format?.type !== 'json_schema') {
    if (format?.json_schema) throw invalidRequest(`'${param}' needs the type json_schema.`, param);
    return answerFormat(format, 'response_format.schema');
  }
  if (!format.json_schema) throw invalidRequest(`'${param}' is required.`, param);
  return answerFormat({ ...format.json_schema, type: format.type }, `${param}.schema`);
}

interface RequestedType {
  type: 'text' | 'json_object' | 'json_schema';
  schema?: unknown;
  strict?: boolean | null | undefined;
}

/**
 * The format that a request asks for; undefined: free text.
 *
 * @param field - the field of the schema
 * @throws ApiError 400 if the schema is missing
 */
export function answerFormat(
  format: RequestedType | null | undefined,
  field: string,
): AnswerFormat | undefined {
  const { type = 'text', schema, strict } = format ?? {};
  switch (type) {
    case 'json_schema':
      if (schema == null) throw invalidRequest(`'${field}' is required.`, field);
      return { type, schema, ...(strict === false && { strict }) };
    case 'json_object':
      return schema == null ? { type } : { type: 'json_schema', schema };
    case 'text':
      if (schema != null) throw invalidRequest(`'${field}' needs the type json_schema.`, field);
      return undefined;
  }
}
