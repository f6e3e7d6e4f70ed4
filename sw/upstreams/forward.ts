import * as v from 'valibot';
import { modelNotAllowed } from '../../src/core/protocol/errors.ts';
import { isServedBy, SERVED_BY_HEADER, type Upstream } from '../../src/core/protocol/upstreams.ts';
import { isServable, type CatalogEntry } from '../../src/core/stores/catalog-entry.ts';
import type { StoredKey } from '../../src/core/stores/database.ts';
import type { Catalog } from '../context.ts';
import { parseBody } from '../http/parse-body.ts';
import { isAllowed } from '../model-access.ts';
import { upstreamFetch } from './upstream-fetch.ts';
import type { Upstreams } from './upstreams.ts';
import { wholeStream } from './whole-stream.ts';

/** Headers of the client that an upstream gets: none that could tell who it is. */
const PASSED = [
  ...['accept', 'content-type', 'content-encoding'],
  ...['anthropic-version', 'anthropic-beta', 'openai-beta'],
];

/** A checked request, and what decides where it is answered. */
export interface Asked {
  request: Request;
  /** As routes name it: `v1/chat/completions`. */
  path: string;
  key: StoredKey;
  catalog: Catalog;
  upstreams: Upstreams;
  /** Aborts when the client hangs up, if that can be known. */
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request on to an upstream if its key may use one that has its model, and this device does not serve the model
 * itself.
 *
 * @returns the upstream's answer; or the request, with a body that can be read, for this device
 * @throws ApiError 403, 502, 503, 504
 */
export async function forwarded(asked: Asked): Promise<Response | Request> {
  const { request, path, key } = asked;
  const usable = (key.upstreams ?? []).filter(({ endpoints }) => isFor(path, endpoints));
  if (request.method !== 'POST' || usable.length === 0) return request;
  const { url, method, headers, signal } = request;
  const body = await request.blob();
  const copy = () => new Request(url, { method, headers, body, signal });
  const model = await modelOf(copy());
  const upstream = model === undefined ? undefined : await upstreamOf(model, usable, asked);
  return upstream ? forward(upstream, body, asked) : copy();
}

/**
 * Whether an upstream may serve a model.
 *
 * @param entry - what this device knows of it
 */
export function isForUpstream(
  entry: CatalogEntry | undefined,
  { fallback = false }: Upstream,
): boolean {
  return !entry || (fallback && !isServable(entry));
}

/** Management is for this device. */
function isFor(path: string, endpoints: readonly string[] | undefined): boolean {
  const endpoint = path.replace(/^v1\/|\/$/g, '');
  return endpoints?.includes(endpoint) ?? !endpoint.startsWith('models/');
}

/** Undefined: none is named, or the body is broken, which this device explains. */
async function modelOf(request: Request): Promise<string | undefined> {
  if (/^multipart\/form-data/i.test(request.headers.get('content-type') ?? '')) {
    const model = (await request.formData().catch(() => undefined))?.get('model');
    return typeof model === 'string' ? model : undefined;
  }
  const body = await parseBody(request, v.object({ model: v.string() })).catch(() => undefined);
  return body?.model;
}

async function upstreamOf(
  model: string,
  usable: readonly Upstream[],
  { key, catalog, upstreams }: Asked,
): Promise<Upstream | undefined> {
  const entry = await catalog.get(model);
  const candidates = usable.filter((each) => isServedBy(each, model) && isForUpstream(entry, each));
  if (candidates.length > 0 && !isAllowed(key, model)) throw modelNotAllowed(model);
  let failure: unknown;
  for (const upstream of candidates) {
    // A pattern is no promise: a misspelt name must not send a prompt away.
    if (upstream.models.includes(model)) return upstream;
    try {
      const models = await upstreams.models.of(upstream);
      if (models.some(({ id }) => id === model)) return upstream;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

async function forward(
  upstream: Upstream,
  body: Blob,
  { request, path, upstreams, signal }: Asked,
): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { search } = new URL(request.url);
  const response = await upstreamFetch(upstream, upstreams.headersOf, {
    ...{ path: path.slice('v1'.length) + search, method: request.method, headers, body },
    ...(signal && { signal }),
  });
  return passed(response, path, upstream.name);
}

/** The answer as it came. Its length was that of its encoding. */
function passed(response: Response, path: string, name: string): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const each of ['content-length', 'content-encoding', 'transfer-encoding']) {
    headers.delete(each);
  }
  headers.set(SERVED_BY_HEADER, `upstream; name=${name}`);
  const isStream = /^text\/event-stream/i.test(headers.get('content-type') ?? '');
  const body =
    response.body && isStream && response.ok
      ? wholeStream(response.body, path, name)
      : response.body;
  return new Response(body, { status, statusText, headers });
}
