import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDescription } from './shared-fixtures.ts';

let ajv: Ajv2020 | undefined;

/**
 * The problems of a value according to OpenAI's published description; empty: the value is right. Needs the
 * shared fixtures.
 *
 * @param schema - name of the schema in the description
 */
export function problems(schema: string, value: unknown): string {
  ajv ??= describedApi();
  const validate = ajv.getSchema(`openai#/components/schemas/${schema}`);
  if (!validate) throw new Error(`OpenAI's description has no ${schema}.`);
  return validate(value) === true
    ? ''
    : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`;
}

function describedApi(): Ajv2020 {
  const api = new Ajv2020({ strict: false, validateFormats: false });
  api.addSchema(withoutNullable(openApiDescription()), 'openai');
  return api;
}

/** These have no value in OpenAI's own answers, if the request has none, although the description does not say so. */
const NULLED = new Set(['user', 'safety_identifier', 'prompt_cache_key']);

/** What OpenAI's own answers say of a response format, and of an answer that is not whole yet, is null as well. */
function isNulled(key: string, node: unknown, holder: object): boolean {
  if (key === 'usage') return JSON.stringify(node).includes('/ResponseUsage"');
  return NULLED.has(key) || (key === 'description' && 'strict' in holder && 'schema' in holder);
}

/** The description is for OpenAPI 3.1, which has no `nullable`, but still uses it. */
function withoutNullable(description: string): object {
  const schema: object = JSON.parse(description, function (this: object, key, node: unknown) {
    if (isNulled(key, node, this)) return { anyOf: [{ type: 'null' }, node] };
    if (typeof node !== 'object' || node === null || !('nullable' in node)) return node;
    const { nullable, ...rest } = node;
    return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest;
  });
  return schema;
}
