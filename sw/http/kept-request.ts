import * as v from 'valibot';
import { parseBody, readText } from './parse-body.ts';
import { bytesOf, isForm } from './request-body.ts';

/** A request whose body can be read more than once. */
export interface KeptRequest {
  request: Request;
  headers: Headers;
  /** A form, which may hold a long recording, as a Blob; everything else as bytes, which Chromium reads and sends faster. */
  body: Blob | Uint8Array<ArrayBuffer>;
}

const placeSchema = v.object({ model: v.string(), previous_response_id: v.optional(v.unknown()) });

/** The fields that decide where a request is answered. */
export type PlaceFields = Partial<v.InferOutput<typeof placeSchema>>;

/** The request's body cannot be read from it any more. */
export async function kept(request: Request): Promise<KeptRequest> {
  const { headers } = request;
  const body = await (isForm(request) ? request.blob() : bytesOf(request));
  return { request, headers, body };
}

export function requestOf({ request, headers, body }: KeptRequest): Request {
  const { url, method, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** Empty: no model is named, or the body is broken, which this device explains. */
export async function placeFields(given: KeptRequest): Promise<PlaceFields> {
  const request = requestOf(given);
  if (!isForm(given)) return parseBody(request, placeSchema).catch(() => ({}));
  const model = (await request.formData().catch(() => undefined))?.get('model');
  return typeof model === 'string' ? { model } : {};
}

/** The same request for another model. It names one already. */
export async function withModel(given: KeptRequest, model: string): Promise<KeptRequest> {
  const headers = new Headers(given.headers);
  headers.delete('content-length');
  if (isForm(given)) {
    const form = await requestOf(given).formData();
    form.set('model', model);
    const made = new Response(form);
    headers.set('content-type', made.headers.get('content-type') ?? '');
    return { ...given, headers, body: await made.blob() };
  }
  const json = await readText(requestOf(given));
  headers.delete('content-encoding');
  return { ...given, headers, body: new TextEncoder().encode(jsonWithModel(json, model)) };
}

/** Of its body. */
export function byteLengthOf({ body }: KeptRequest): number {
  return body instanceof Blob ? body.size : body.byteLength;
}

/**
 * The text of a JSON object, in which `model` has another value. Everything else stays as it is written: numbers, unknown
 * fields, spaces.
 */
export function jsonWithModel(json: string, model: string): string {
  let result = '';
  let copied = 0;
  let depth = 0;
  let isKey = false;
  let key = '';
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (depth === 1 && (character === '{' || character === ',')) isKey = true;
    if (depth === 1 && character === ':') isKey = false;
    if (character !== '"') continue;
    const end = endOfText(json, at);
    if (depth === 1 && isKey) key = String(JSON.parse(json.slice(at, end)));
    else if (depth === 1 && key === 'model') {
      result += json.slice(copied, at) + JSON.stringify(model);
      copied = end;
    }
    at = end - 1;
  }
  return result + json.slice(copied);
}

/** @param at - where a text begins, with its quotation mark */
function endOfText(json: string, at: number): number {
  let end = json.indexOf('"', at + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charAt(before - 1) === '\\') before--;
  return (at - before) % 2 === 1;
}
