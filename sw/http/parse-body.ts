import * as v from 'valibot';
import { bodyTooLarge, invalidRequest, MAX_BODY_BYTES } from '../../src/core/protocol/errors.ts';
import { isTooDeep } from './json-depth.ts';

/** The encodings of bodies that are read. */
const FORMATS: Record<string, CompressionFormat> = { gzip: 'gzip', deflate: 'deflate' };

/**
 * The body, parsed by the schema. Clients send JSON under any content type, so none is required.
 *
 * @throws ApiError 400 with the path of the first offending field, 413 for a body over the limit
 */
export async function parseBody<S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  return parseText(await readText(request), schema);
}

/** As parseBody, of a request that may have no body: that means no fields. */
export async function parseOptionalBody<S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  return parseText((await readText(request)) || '{}', schema);
}

function parseText<S extends v.GenericSchema>(text: string, schema: S): v.InferOutput<S> {
  const value = parseJson(text);
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

/** @throws ApiError 400 for a body that breaks off or is not encoded as it says, 413 */
async function readBytes(request: Request): Promise<Uint8Array> {
  const whole = await request.arrayBuffer().catch(unreadable);
  if (whole.byteLength > MAX_BODY_BYTES) throw bodyTooLarge();
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || whole.byteLength === 0) return new Uint8Array(whole);
  const format = FORMATS[encoding];
  if (!format) throw invalidRequest(`The request body is encoded as '${encoding}'; use gzip.`);
  return decompressed(new Blob([whole]).stream().pipeThrough(new DecompressionStream(format)));
}

/** What the stream holds. It is read no further than the limit: a small body can become very large. */
async function decompressed(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const bytes = new Uint8Array(MAX_BODY_BYTES);
  let length = 0;
  for (;;) {
    const { value } = await reader.read().catch(unreadable);
    if (!value) return bytes.slice(0, length);
    if (length + value.length > MAX_BODY_BYTES) throw bodyTooLarge();
    bytes.set(value, length);
    length += value.length;
  }
}

function unreadable(): never {
  throw invalidRequest('The request body could not be read.');
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request);
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
