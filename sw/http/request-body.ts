import type * as v from 'valibot';
import { readAll } from '../../src/core/async/read-all.ts';
import { bodyTooLarge, invalidRequest, MAX_BODY_BYTES } from '../../src/core/errors/errors.ts';
import { parseExact, stringifyExact } from '../../src/core/text/exact-json.ts';
import { checkShape, parseValue, tooDeep } from './parse-value.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A form, which may hold a long recording, as a Blob; everything else as bytes, which Chromium reads and sends faster. */
export type RawBody = Blob | Bytes;

/** The encodings of bodies that are read. */
const FORMATS: Record<string, CompressionFormat> = { gzip: 'gzip', deflate: 'deflate' };

/** How to get a body. Each function is called once at most. */
interface BodySource {
  raw: () => Promise<RawBody>;
  value?: () => Promise<unknown>;
  /** Used only if the raw body has not been asked for. */
  form?: () => Promise<FormData>;
}

/** The body of a request. It is read once and parsed once, however many ask for it. */
export class RequestBody {
  readonly headers: Headers;
  readonly #source: BodySource;
  #raw: Promise<RawBody> | undefined;
  #value: Promise<unknown> | undefined;
  #form: Promise<FormData> | undefined;

  constructor(headers: Headers, source: BodySource) {
    this.headers = headers;
    this.#source = source;
  }

  static of(request: Request): RequestBody {
    const raw = () => (isForm(request.headers) ? request.blob() : bytesOf(request));
    return new RequestBody(request.headers, { raw, form: () => request.formData() });
  }

  /** The body as it is forwarded. @throws ApiError 400 if it breaks off */
  raw(): Promise<RawBody> {
    this.#raw ??= this.#source.raw().catch(unreadable);
    return this.#raw;
  }

  /** Begins to read the body, unless it is a form. A later caller that asks for the body gets the error. */
  begin(): void {
    if (!isForm(this.headers)) this.raw().catch(() => undefined);
  }

  /** The JSON, parsed by the schema. Clients send it under any content type, so none is required. */
  async parse<S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>> {
    return parseValue(await this.#json(), schema);
  }

  /** Like `parse`, for a request that may have no body: that means no fields. */
  async parseOptional<S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>> {
    const { size } = new Blob([await this.raw()]);
    return size === 0 ? parseValue({}, schema) : this.parse(schema);
  }

  /** @throws if the body is not a form */
  form(): Promise<FormData> {
    const { form } = this.#source;
    this.#form ??= form && !this.#raw ? form() : this.#formOfRaw();
    return this.#form;
  }

  /**
   * The members of a JSON object, with bigints for integers that no double holds, or the texts of a form. Undefined: the
   * body has no fields that can be read.
   */
  async fields(): Promise<Record<string, unknown> | undefined> {
    try {
      if (!isForm(this.headers)) {
        const value = await this.#json();
        return isObject(value) ? value : undefined;
      }
      // The raw body is read first, because the body may be forwarded after this.
      await this.raw();
      const texts = [...(await this.form())].filter(([, value]) => typeof value === 'string');
      return Object.fromEntries(texts);
    } catch {
      return undefined;
    }
  }

  /** A copy of this body that names another model. Call it only if `fields` could read this body. */
  async withModel(model: string): Promise<RequestBody> {
    const headers = new Headers(this.headers);
    for (const name of ['content-length', 'content-encoding']) headers.delete(name);
    if (isForm(headers)) {
      const form = new FormData();
      for (const [name, value] of await this.form()) form.append(name, value);
      form.set('model', model);
      const made = new Response(form);
      headers.set('content-type', made.headers.get('content-type') ?? '');
      return new RequestBody(headers, { raw: () => made.blob(), form: async () => form });
    }
    const value = { ...(await this.fields()), model };
    const raw = async () => new TextEncoder().encode(stringifyExact(value));
    return new RequestBody(headers, { raw, value: async () => value });
  }

  #json(): Promise<unknown> {
    this.#value ??= this.#source.value?.() ?? this.#parsed();
    return this.#value;
  }

  /** @throws ApiError 400 for a body that is not JSON or is too deep, 413 for one over the limit */
  async #parsed(): Promise<unknown> {
    const value = parseJson(textOf(await decoded(await this.raw(), this.headers)));
    checkShape(value);
    return value;
  }

  async #formOfRaw(): Promise<FormData> {
    const headers = { 'content-type': this.headers.get('content-type') ?? '' };
    return new Response(await this.raw(), { headers }).formData();
  }
}

function isForm(headers: Headers): boolean {
  return /^multipart\/form-data/i.test(headers.get('content-type') ?? '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function bytesOf(request: Request): Promise<Bytes> {
  // Chromium needs two thirds of the time that `arrayBuffer()` takes. Firefox has no streams of requests.
  return request.body ? readAll(request.body) : new Uint8Array(await request.arrayBuffer());
}

/** @throws ApiError 400 for a body that is not encoded as it says, 413 */
async function decoded(raw: RawBody, headers: Headers): Promise<Bytes> {
  const whole = raw instanceof Blob ? new Uint8Array(await raw.arrayBuffer()) : raw;
  if (whole.length > MAX_BODY_BYTES) throw bodyTooLarge();
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || whole.length === 0) return whole;
  const format = FORMATS[encoding];
  if (!format) throw invalidRequest(`The request body is encoded as '${encoding}'; use gzip.`);
  const stream = new Blob([whole]).stream().pipeThrough(new DecompressionStream(format));
  // A small body can become very large.
  const bytes = await readAll(stream, MAX_BODY_BYTES).catch(unreadable);
  if (bytes) return bytes;
  throw bodyTooLarge();
}

function unreadable(): never {
  throw invalidRequest('The request body could not be read.');
}

/** @throws ApiError 400 */
function textOf(bytes: Bytes): string {
  try {
    return withoutMarks(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidRequest('The request body is not valid UTF-8.');
  }
}

/**
 * The JSON, with the marks of images and breakpoints replaced in all texts. Backslashes are matched in pairs: the second
 * escapes nothing.
 */
function withoutMarks(json: string): string {
  // This takes a tenth of the pattern's time, and most texts need no more.
  if (!/[\uFDD0-\uFDD3]|\\u/.test(json)) return json;
  return json.replaceAll(/\\\\|\\ufdd[0-3]|[\uFDD0-\uFDD3]/gi, (found) =>
    found === '\\\\' ? found : '\uFFFD',
  );
}

function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    // What reads the digits of long integers visits the value level by level.
    if (error instanceof RangeError) tooDeep();
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(
      text.trim() === '' ? 'The request body is empty.' : `The request body is not JSON${why}.`,
    );
  }
}
