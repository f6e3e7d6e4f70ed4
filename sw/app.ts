import type { Engine } from '../src/core/port/engine.ts';
import { toErrorData } from '../src/core/errors/errors.ts';
import type { ApiOperation } from '../src/core/operations/jobs.ts';
import {
  HEALTH_HEADER,
  HEALTH_PATH,
  PROTOCOL,
  VERSION_HEADER,
} from '../src/core/realms/messages.ts';
import type { FollowedRoute } from '../src/core/realms/routes.ts';
import { SERVED_BY_HEADER } from '../src/core/realms/upstreams.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import type { Device } from '../src/core/fit/device-fit.ts';
import { VERSION } from '../src/core/version.ts';
import { countChatTokens, createChatCompletion } from './chat/create-chat-completion.ts';
import { createCompletion } from './completions/create-completion.ts';
import type { Catalog, Context } from './context.ts';
import { createEmbeddings } from './embeddings/create-embeddings.ts';
import { newId } from './generation/ids.ts';
import { endingWithSignal } from './http/ending-with-signal.ts';
import { errorResponse, type ErrorStyle } from './http/error-response.ts';
import { readAhead } from './http/request-body.ts';
import { matchRoute, type Route } from './http/routes.ts';
import type { Grace } from './http/running-job.ts';
import { countMessageTokens, createMessage } from './messages/create-message.ts';
import { budgeted } from './metering/budgeted-engine.ts';
import type { RequestLog } from './metering/request-log.ts';
import type { RequestReport } from './metering/request-report.ts';
import { requireEndpoint } from './model-access.ts';
import { managing } from './models/manage-models.ts';
import { getModel, listModels } from './models/models.ts';
import { createRerank } from './rerank/create-rerank.ts';
import { countInputTokens, createResponse } from './responses/create-response.ts';
import { deleteResponse, getResponse, listInputItems } from './responses/read-responses.ts';
import { HeadStarts } from './routes/head-starts.ts';
import { answerInPlace } from './routes/place.ts';
import type { PlacedRequest } from './routes/placing.ts';
import { Queues } from './routes/queues.ts';
import { createSpeech } from './speech/create-speech.ts';
import { speechListener } from './speech/listen-to-speech.ts';
import { listVoices } from './speech/list-voices.ts';
import { health } from './status/health.ts';
import { metrics } from './status/metrics.ts';
import { transcribing } from './transcriptions/create-transcription.ts';
import type { Upstreams } from './upstreams/upstreams.ts';
import { detokenize, tokenize } from './tokens/tokenize.ts';

/** What the API is built on. */
export interface AppOptions {
  /** Path that the endpoints are below, without a slash at its end: `/v1` or `/repo/v1`. */
  path: string;
  engine: Engine<ApiOperation>;
  /**
   * The requests' signals abort when their clients hang up. In a service worker they do not: it learns that from
   * the response's stream.
   */
  hasSignals?: boolean;
  /** The stored key of an Authorization header; throws ApiError 401. */
  authenticate(authorization: string | null): Promise<StoredKey>;
  /** The stored key that a URL is signed with; throws ApiError 401. */
  authenticateUrl(url: URL): Promise<StoredKey>;
  /** Tells pages that watch of the requests; undefined: nobody can. */
  log?: RequestLog | undefined;
  /** Notes that the key with this id has used tokens of its budget; undefined: no key has one. */
  spend?: (id: string, tokens: number) => Promise<void>;
  catalog: Catalog;
  /** As in Context. */
  device: () => Promise<Device>;
  /** Where requests may go on to, if their keys may; undefined: nothing leaves this device. */
  upstreams?: Upstreams;
  /** Headers of the health answer, beside those that are always there. */
  healthHeaders?: Record<string, string>;
  /** Another grace than usual, for tests. */
  graceMs?: Grace;
}

/** The HTTP API: a request in, a response out, no other effect that a client could notice. */
export function createApp(options: AppOptions): (request: Request) => Promise<Response> {
  const routes = apiRoutes();
  const { upstreams } = options;
  const places = upstreams && {
    upstreams,
    queues: new Queues(),
    starts: new HeadStarts(upstreams.headersOf),
  };
  return async (request) => {
    const id = newId('req_');
    const path = pathBelow(request, options);
    const style = errorStyle(path, request);
    const report =
      path === HEALTH_PATH ? undefined : options.log?.begin(id, path.slice('v1/'.length), request);
    const unwatched = await answer(request, options, routes, places, report).catch(
      (error: unknown) => {
        report?.failed(error);
        return errorResponse(toErrorData(error), style, id);
      },
    );
    setIfMissing(unwatched.headers, {
      'x-request-id': id,
      ...(style === 'anthropic' && { 'request-id': id }),
      [SERVED_BY_HEADER]: 'device',
    });
    const response = report ? report.answered(unwatched) : unwatched;
    // HEAD is GET without the body.
    if (request.method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  };
}

export function apiRoutes(): Route<Context>[] {
  return [
    { method: 'GET', path: 'health', keyless: true, handle: health },
    { method: 'GET', path: 'metrics', handle: metrics },
    { method: 'GET', path: 'models', handle: listModels },
    { method: 'GET', path: 'models/{model}', handle: getModel },
    { method: 'DELETE', path: 'models/{model}', handle: managing('remove') },
    { method: 'POST', path: 'models/{model}/load', handle: managing('load') },
    { method: 'POST', path: 'models/{model}/unload', handle: managing('unload') },
    { method: 'POST', path: 'models/{model}/install', handle: managing('install') },
    {
      method: 'POST',
      path: 'chat/completions',
      handle: createChatCompletion,
      count: countChatTokens,
    },
    { method: 'POST', path: 'chat/completions/input_tokens', handle: countChatTokens },
    { method: 'POST', path: 'completions', handle: createCompletion },
    { method: 'POST', path: 'responses', handle: createResponse, count: countInputTokens },
    { method: 'POST', path: 'responses/input_tokens', handle: countInputTokens },
    { method: 'GET', path: 'responses/{response}', handle: getResponse },
    { method: 'DELETE', path: 'responses/{response}', handle: deleteResponse },
    { method: 'GET', path: 'responses/{response}/input_items', handle: listInputItems },
    { method: 'POST', path: 'messages', handle: createMessage, count: countMessageTokens },
    { method: 'POST', path: 'messages/count_tokens', handle: countMessageTokens },
    { method: 'POST', path: 'embeddings', handle: createEmbeddings },
    { method: 'POST', path: 'rerank', handle: createRerank },
    { method: 'POST', path: 'tokenize', handle: tokenize },
    { method: 'POST', path: 'detokenize', handle: detokenize },
    { method: 'GET', path: 'audio/voices', handle: listVoices },
    { method: 'POST', path: 'audio/transcriptions', handle: transcribing('transcribe') },
    { method: 'POST', path: 'audio/translations', handle: transcribing('translate') },
    { method: 'POST', path: 'audio/speech', handle: createSpeech },
    { method: 'GET', path: 'audio/speech', signed: true, handle: speechListener() },
  ];
}

async function answer(
  request: Request,
  options: AppOptions,
  routes: readonly Route<Context>[],
  places: Pick<PlacedRequest, 'upstreams' | 'queues' | 'starts'> | undefined,
  report: RequestReport | undefined,
): Promise<Response> {
  const { hasSignals, catalog, device, graceMs } = options;
  const path = pathBelow(request, options);
  if (path === HEALTH_PATH) {
    const headers = { [HEALTH_HEADER]: PROTOCOL, [VERSION_HEADER]: VERSION };
    return new Response(null, {
      status: 204,
      headers: { ...headers, ...options.healthHeaders },
    });
  }
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  const { route, rest } = matchRoute(routes, request.method, path);
  const checking = keyOf(route, request, options);
  const start = places?.starts.begin(request);
  if (!start) readAhead(request);
  const key = await checking;
  report?.keyed(key);
  requireEndpoint(key, route);
  const { upstreams } = options;
  const ending = hasSignals ? endingWithSignal(options.engine, request.signal) : options.engine;
  const paid = options.spend ? budgeted(ending, key, options.spend) : ending;
  const engine = report ? report.engine(paid) : paid;
  const context = { request, engine, catalog, device, key, rest, upstreams, graceMs };
  if (!places) return route.handle(context);
  const signal = hasSignals ? request.signal : undefined;
  const onRoute = report && ((followed: FollowedRoute) => report.routed(followed));
  return answerInPlace({ context, endpoint: route, path, ...places, start, signal, onRoute });
}

/** An upstream has named its own. */
function setIfMissing(headers: Headers, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

/** Nobody's: for routes that need none. */
const NO_KEY: StoredKey = { id: '', label: '', createdAt: 0 };

async function keyOf(
  { keyless, signed }: Route<Context>,
  request: Request,
  options: AppOptions,
): Promise<StoredKey> {
  if (keyless) return NO_KEY;
  return signed
    ? options.authenticateUrl(new URL(request.url))
    : options.authenticate(authorization(request));
}

/** As routes name it: `v1/models`. */
function pathBelow({ url }: Request, { path }: AppOptions): string {
  return `v1${new URL(url).pathname.slice(path.length)}`;
}

/** Anthropic's clients also list models; only their headers tell them from others. */
function errorStyle(path: string, { headers }: Request): ErrorStyle {
  const [, top] = /^v1\/(messages|models)(?:\/|$)/.exec(path) ?? [];
  const isAnthropic = top === 'messages' || (top === 'models' && headers.has('anthropic-version'));
  return isAnthropic ? 'anthropic' : 'openai';
}

/** The key, in either of the headers in which clients send it. */
function authorization({ headers }: Request): string | null {
  const key = headers.get('x-api-key');
  return headers.get('authorization') ?? (key === null ? null : `Bearer ${key}`);
}
