import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { AnswerFormat } from '../../../src/core/operations/jobs/jobs.ts';
import { parseExact } from '../../../src/core/text/exact-json.ts';
import { closedObject, flag, optional, text } from '../../http/fields.ts';
import { responseAnswerFormat, responseFormat } from './answer-format.ts';

const any = optional(v.unknown());
const choices = optional(
  v.pipe(
    v.array(text, 'must be an array'),
    v.check((all) => all.length > 0, 'must not be empty'),
  ),
);

/** The ways in which clients of OpenAI, vLLM and llama.cpp ask for a format. */
export const requestedFormatEntries = {
  response_format: responseFormat,
  structured_outputs: optional(
    closedObject({
      json: any,
      json_object: optional(flag),
      regex: optional(text),
      choice: choices,
      grammar: any,
      structural_tag: any,
      // How vLLM compiles and writes.
      disable_any_whitespace: any,
      disable_additional_properties: any,
      disable_fallback: any,
      whitespace_pattern: any,
      backend: any,
    }),
  ),
  guided_json: any,
  guided_regex: optional(text),
  guided_choice: choices,
  guided_grammar: any,
  json_schema: any,
  grammar: any,
};

type FormatRequest = v.InferOutput<v.ObjectSchema<typeof requestedFormatEntries, undefined>>;

/** A format, and the field that an error in it is about. */
export interface RequestedFormat {
  format?: AnswerFormat;
  /** The field of the format as a whole. */
  field: string;
  /** The field of the JSON Schema. */
  schemaField: string;
}

/** @throws ApiError 400 for grammars in a language of their own, and for a missing or malformed schema */
export function requestedFormat(request: FormatRequest): RequestedFormat {
  const { response_format: own, structured_outputs: outputs } = request;
  refuseGrammars(request);
  refuseSeveral(request);
  const [schema, schemaField] = firstOf({
    'structured_outputs.json': outputs?.json,
    guided_json: request.guided_json,
    json_schema: request.json_schema,
  });
  if (schema != null) {
    const format = { type: 'json_schema' as const, schema: parsedSchema(schema, schemaField) };
    return { format, field: schemaField, schemaField };
  }
  const [pattern, patternField] = firstOf({
    'structured_outputs.regex': outputs?.regex,
    guided_regex: request.guided_regex,
  });
  if (pattern != null) return inField(patternField, { type: 'pattern', pattern });
  const [texts, textsField] = firstOf({
    'structured_outputs.choice': outputs?.choice,
    guided_choice: request.guided_choice,
  });
  if (texts != null) return inField(textsField, { type: 'choice', texts });
  if (outputs?.json_object) return inField('structured_outputs', { type: 'json_object' });
  const format = responseAnswerFormat(own);
  const below = own?.type === 'json_schema' ? 'json_schema.schema' : 'schema';
  const field = 'response_format';
  return { ...(format && { format }), field, schemaField: `${field}.${below}` };
}

/** One format would win, and the others would be lost. */
function refuseSeveral({ structured_outputs: outputs, ...request }: FormatRequest): void {
  const { response_format: own, guided_json, json_schema, guided_regex, guided_choice } = request;
  const asked = Object.entries({
    'structured_outputs.json': outputs?.json,
    'structured_outputs.regex': outputs?.regex,
    'structured_outputs.choice': outputs?.choice,
    'structured_outputs.json_object': outputs?.json_object || undefined,
    guided_json,
    json_schema,
    guided_regex,
    guided_choice,
    response_format: own?.type === 'text' ? undefined : own,
  }).filter(([, value]) => value != null);
  const [[first] = [''], second] = asked;
  if (!second) return;
  throw invalidRequest(`'${second[0]}' cannot be used together with '${first}'.`, second[0]);
}

function inField(field: string, format: AnswerFormat): RequestedFormat {
  return { format, field, schemaField: field };
}

/** The first value that is given, and its name. */
function firstOf<T>(values: Record<string, T>): [T | undefined, string] {
  const [name, value] = Object.entries(values).find(([, each]) => each != null) ?? ['', undefined];
  return [value, name];
}

/** vLLM also takes a schema as text. */
function parsedSchema(schema: unknown, field: string): unknown {
  if (typeof schema !== 'string') return schema;
  try {
    return parseExact(schema);
  } catch {
    throw invalidRequest(`'${field}' is not JSON.`, field);
  }
}

function refuseGrammars({ structured_outputs: outputs, ...request }: FormatRequest): void {
  const [grammar, field] = firstOf({
    // llama.cpp's clients send an empty grammar.
    grammar: request.grammar || undefined,
    guided_grammar: request.guided_grammar,
    'structured_outputs.grammar': outputs?.grammar,
    'structured_outputs.structural_tag': outputs?.structural_tag,
  });
  if (grammar == null) return;
  const instead = "use 'response_format' with a JSON Schema, 'guided_regex' or 'guided_choice'";
  throw unsupportedValue(`'${field}' is not supported: ${instead}.`, field);
}
