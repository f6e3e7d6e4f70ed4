import type { ApiOperation } from '../src/core/operations/jobs/jobs.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import { toErrorData } from '../src/core/errors/errors.ts';
import type { Device } from '../src/core/fit/device-fit.ts';
import type { Engine } from '../src/core/port/engine.ts';
import {
  HEALTH_HEADER,
  HEALTH_PATH,
  PROTOCOL,
  VERSION_HEADER,
} from '../src/core/realms/messages.ts';
import { SERVED_BY_HEADER } from '../src/core/realms/upstreams.ts';
import { VERSION } from '../src/core/version.ts';
import type { Catalog, Client, Context } from './context.ts';
import { apiEndpoints } from './endpoints.ts';
import { newId } from './generation/answer/ids.ts';
import { matchEndpoint } from './http/endpoint.ts';
import { errorResponse, type ErrorStyle } from './http/error-response.ts';
import { RequestBody } from './http/request-body.ts';
import type { RequestLog } from './metering/request-log.ts';
import { placed } from './placing/place.ts';
import { road } from './road/road.ts';
import { GRACE_MS, SIGNALLED_GRACE_MS, type Grace } from './road/running-job.ts';
import { keyed, reported, type Authentication } from './road/stages.ts';
import type { Upstreams } from './upstreams/upstream-models.ts';

/** What the API is built on. */
export interface AppOptions extends Authentication {
  /** Path that the endpoints are below, without a slash at its end: `/v1` or `/repo/v1`. */
  path: string;
  engine: Engine<ApiOperation>;
  /**
   * Whether the requests' signals abort when their clients hang up. In a service worker they do not: it learns that
   * from the response's stream.
   */
  hasSignals?: boolean;
  /** Reports the requests to watching pages; undefined: no page can watch. */
  log?: RequestLog | undefined;
  catalog: Catalog;
  /** See Context. */
  device: () => Promise<Device>;
  /** Where requests may be forwarded, if their keys allow it; undefined: nothing leaves this device. */
  upstreams?: Upstreams;
  /** Headers of the health answer, beside those that are always there. */
  healthHeaders?: Record<string, string>;
  /** The grace, if tests need another one. */
  graceMs?: Grace;
}

/** The HTTP API: a request in, a response out, no other effect that a client could notice. */
export function createApp(
  options: AppOptions,
): (request: Request, client?: Client) => Promise<Response> {
  const endpoints = apiEndpoints();
  const answer = road(
    [reported(options.log), keyed(options), placed(options.upstreams, options.hasSignals)],
    (context) => context.endpoint.handle(context),
  );
  return async (request, client) => {
    const id = newId('req_');
    const path = `v1${new URL(request.url).pathname.slice(options.path.length)}`;
    const style = errorStyle(path, request);
    const response =
      path === HEALTH_PATH
        ? alive(options)
        : await answer(arrived(request, { path, id, client })).catch((error: unknown) =>
            errorResponse(toErrorData(error), style, id),
          );
    setIfMissing(response.headers, {
      'x-request-id': id,
      ...(style === 'anthropic' && { 'request-id': id }),
      [SERVED_BY_HEADER]: 'device',
    });
    // HEAD is GET without the body.
    if (request.method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  };

  /** The request before its first stage: nothing is known of its key. */
  function arrived(
    request: Request,
    { path, id, client }: Pick<Context, 'path' | 'id' | 'client'>,
  ): Context {
    const { engine, catalog, device, upstreams, hasSignals } = options;
    const { graceMs = hasSignals ? SIGNALLED_GRACE_MS : GRACE_MS } = options;
    return {
      id,
      request,
      path,
      ...matchEndpoint(endpoints, request.method, path),
      body: RequestBody.of(request),
      key: NOBODY,
      budget: undefined,
      report: undefined,
      signal: hasSignals ? request.signal : new AbortController().signal,
      engine,
      catalog,
      device,
      upstreams,
      client,
      graceMs,
    };
  }
}

/** The key of a request until its own key has been found. */
const NOBODY: StoredKey = { id: '', label: '', createdAt: 0 };

/** Tells a page that this version answers. */
function alive({ healthHeaders }: AppOptions): Response {
  const headers = { [HEALTH_HEADER]: PROTOCOL, [VERSION_HEADER]: VERSION, ...healthHeaders };
  return new Response(null, { status: 204, headers });
}

/** Sets headers that the response lacks. An upstream may have set them. */
function setIfMissing(headers: Headers, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

/** Anthropic's clients also list models; only their headers tell them from others. */
function errorStyle(path: string, { headers }: Request): ErrorStyle {
  const [, top] = /^v1\/(messages|models)(?:\/|$)/.exec(path) ?? [];
  const isAnthropic = top === 'messages' || (top === 'models' && headers.has('anthropic-version'));
  return isAnthropic ? 'anthropic' : 'openai';
}
