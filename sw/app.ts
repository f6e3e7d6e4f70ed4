import type { Engine } from '../src/core/protocol/engine.ts';
import { toErrorData } from '../src/core/protocol/errors.ts';
import type { ApiOperation } from '../src/core/protocol/jobs.ts';
import { HEALTH_HEADER, HEALTH_PATH, PROTOCOL } from '../src/core/protocol/messages.ts';
import type { StoredKey } from '../src/core/stores/database.ts';
import { createChatCompletion } from './chat/create-chat-completion.ts';
import { createCompletion } from './completions/create-completion.ts';
import type { Catalog, Context } from './context.ts';
import { errorResponse } from './http/error-response.ts';
import { matchRoute, type Route } from './http/routes.ts';
import type { Grace } from './http/running-job.ts';
import { getModel, listModels } from './models/models.ts';
import { createSpeech } from './speech/create-speech.ts';
import { speechListener } from './speech/listen-to-speech.ts';

/** What the API is built on. */
export interface AppOptions {
  /** Path that contains `v1`, with slashes at both ends: `/` or `/repo/`. */
  root: string;
  engine: Engine<ApiOperation>;
  /** The stored key of an Authorization header; throws ApiError 401. */
  authenticate(authorization: string | null): Promise<StoredKey>;
  /** The stored key that a URL is signed with; throws ApiError 401. */
  authenticateUrl(url: URL): Promise<StoredKey>;
  catalog: Catalog;
  /** Another grace than usual, for tests. */
  graceMs?: Grace;
}

/** The HTTP API: a request in, a response out, no other effect that a client could notice. */
export function createApp(options: AppOptions): (request: Request) => Promise<Response> {
  const routes = apiRoutes();
  return async (request) => {
    const response = await answer(request, options, routes).catch((error: unknown) =>
      errorResponse(toErrorData(error)),
    );
    response.headers.set('x-request-id', `req_${crypto.randomUUID().replaceAll('-', '')}`);
    // HEAD is GET without the body.
    if (request.method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  };
}

function apiRoutes(): Route<Context>[] {
  return [
    { method: 'GET', path: 'models', handle: listModels },
    { method: 'GET', path: 'models/', handle: getModel },
    { method: 'POST', path: 'chat/completions', handle: createChatCompletion },
    { method: 'POST', path: 'completions', handle: createCompletion },
    { method: 'POST', path: 'audio/speech', handle: createSpeech },
    { method: 'GET', path: 'audio/speech', signed: true, handle: speechListener() },
  ];
}

async function answer(
  request: Request,
  options: AppOptions,
  routes: readonly Route<Context>[],
): Promise<Response> {
  const { root, engine, catalog, graceMs } = options;
  const url = new URL(request.url);
  const path = url.pathname.slice(root.length);
  if (path === HEALTH_PATH) {
    return new Response(null, { status: 204, headers: { [HEALTH_HEADER]: PROTOCOL } });
  }
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  const { route, rest } = matchRoute(routes, request.method, path);
  const key = route.signed
    ? await options.authenticateUrl(url)
    : await options.authenticate(request.headers.get('authorization'));
  return route.handle({ request, engine, catalog, key, rest, graceMs });
}
