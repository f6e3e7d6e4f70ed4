import * as v from 'valibot';
import { bodyTooLarge, invalidRequest, MAX_BODY_BYTES } from '../../src/core/protocol/errors.ts';
import { isTooDeep } from './json-depth.ts';

/**
 * The body, parsed by the schema. Clients send JSON under any content type, so none is required.
 *
 * @throws ApiError 400 with the path of the first offending field, 413 for a body over the limit
 */
export async function parseBody<S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  const value = parseJson(await readText(request));
  if (isTooDeep(value)) throw invalidRequest('The request body is nested too deeply.');
  return parseValue(value, schema);
}

/**
 * A request's parameters, parsed by the schema.
 *
 * @throws ApiError 400 with the path of the first offending field
 */
export function parseValue<S extends v.GenericSchema>(value: unknown, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = fieldPath(issue);
  const fault = issue.input === undefined ? 'is required' : issue.message;
  throw invalidRequest(path ? `'${path}' ${fault}.` : `The request body ${issue.message}.`, path);
}

async function readText(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer().catch(() => {
    throw invalidRequest('The request body could not be read.');
  });
  if (bytes.byteLength > MAX_BODY_BYTES) throw bodyTooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('The request body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(
      text.trim() === '' ? 'The request body is empty.' : `The request body is not JSON${why}.`,
    );
  }
}

/** The field as the OpenAI API writes it: `messages[1].content`; null for the body as a whole. */
function fieldPath(issue: v.BaseIssue<unknown>): string | null {
  let path = '';
  for (const { key } of issue.path ?? []) {
    path += typeof key === 'number' ? `[${key}]` : `${path && '.'}${String(key)}`;
  }
  return path || null;
}
