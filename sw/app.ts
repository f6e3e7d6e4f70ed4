import { HEALTH_HEADER, HEALTH_PATH, PROTOCOL } from '../src/core/protocol/messages.ts';
import {
  ApiError,
  invalidRequest,
  modelNotAllowed,
  modelNotFound,
  notInstalled,
  toErrorData,
  unsupportedValue,
  type ApiErrorData,
} from '../src/core/protocol/errors.ts';
import { isServable, type CatalogEntry, type Task } from '../src/core/stores/catalog-entry.ts';
import type { StoredKey } from '../src/core/stores/database.ts';
import type { Engine, GenerateJob, SpeakJob } from '../src/core/protocol/engine.ts';
import { chatJob } from './chat/chat-job.ts';
import { completionJob } from './completions/completion-job.ts';
import { answerMeta } from './generation/encode.ts';
import { chatEncoder } from './chat/encode-chat.ts';
import { completionEncoder } from './completions/encode-completion.ts';
import { modelBody } from './models/model-body.ts';
import { parseBody, parseValue } from './http/parse-body.ts';
import { Recordings } from './speech/recordings.ts';
import {
  chatRequestSchema,
  completionRequestSchema,
  speechRequestSchema,
  type SpeechRequest,
} from './request-schema.ts';
import { errorBody, respond, type Grace } from './http/respond.ts';
import { record, respondListener } from './speech/respond-listener.ts';
import { respondSpeech } from './speech/respond-speech.ts';
import { speechJob } from './speech/speech-job.ts';
import { speechQuery } from './speech/speech-query.ts';

/** What the API stands on. */
export interface AppOptions {
  /** Path that `v1` is under, with slashes at both ends: `/` or `/repo/`. */
  root: string;
  engine: Engine;
  /** The stored key of an Authorization header; throws ApiError 401. */
  authenticate(authorization: string | null): Promise<StoredKey>;
  /** The stored key that a URL is signed with; throws ApiError 401. */
  authenticateUrl(url: URL): Promise<StoredKey>;
  catalog: Catalog;
  /** Another grace than usual, for tests. */
  graceMs?: Grace;
}

/** The models that are known. */
export interface Catalog {
  list(): Promise<CatalogEntry[]>;
  get(id: string): Promise<CatalogEntry | undefined>;
}

interface Context {
  request: Request;
  options: AppOptions;
  recordings: Recordings;
  key: StoredKey;
  /** Decoded rest of the path, for routes that have one. */
  rest: string;
}

interface Route {
  method: 'GET' | 'POST';
  /** Path below `v1/`; one that ends in "/" takes anything that follows. */
  path: string;
  /** Its URL is signed, where clients can send no Authorization header. */
  signed?: true;
  handle(context: Context): Promise<Response>;
}

const ROUTES: Route[] = [
  { method: 'GET', path: 'models', handle: listModels },
  { method: 'GET', path: 'models/', handle: getModel },
  { method: 'POST', path: 'chat/completions', handle: createChatCompletion },
  { method: 'POST', path: 'completions', handle: createCompletion },
  { method: 'POST', path: 'audio/speech', handle: createSpeech },
  { method: 'GET', path: 'audio/speech', signed: true, handle: listenToSpeech },
];

/** The HTTP API: a request in, a response out, and nothing else that anyone would notice. */
export function createApp(options: AppOptions): (request: Request) => Promise<Response> {
  const recordings = new Recordings();
  return async (request) => {
    const response = await answer(request, options, recordings).catch((error: unknown) =>
      errorResponse(toErrorData(error)),
    );
    response.headers.set('x-request-id', `req_${crypto.randomUUID().replaceAll('-', '')}`);
    // HEAD is GET without the body.
    if (request.method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  };
}

async function answer(
  request: Request,
  options: AppOptions,
  recordings: Recordings,
): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.slice(options.root.length);
  if (path === HEALTH_PATH)
    return new Response(null, { status: 204, headers: { [HEALTH_HEADER]: PROTOCOL } });
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  const { route, rest } = match(request.method, path);
  const key = route.signed
    ? await options.authenticateUrl(url)
    : await options.authenticate(request.headers.get('authorization'));
  return route.handle({ request, options, recordings, key, rest });
}

/** @throws ApiError 404 for an unknown path, 405 for a wrong method */
function match(method: string, path: string): { route: Route; rest: string } {
  const [, below = ''] = /^v1\/(.*?)\/?$/.exec(path) ?? [];
  const routes = ROUTES.filter((route) =>
    route.path.endsWith('/') ? below.startsWith(route.path) : below === route.path,
  );
  const [first] = routes;
  if (!first) throw unknownPath(method, path);
  const route = routes.find((r) => r.method === (method === 'HEAD' ? 'GET' : method));
  if (!route) {
    throw methodNotAllowed(
      method,
      routes.map((known) => known.method),
    );
  }
  return { route, rest: decodePath(below.slice(route.path.length)) };
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidRequest('The path is not valid percent-encoding.');
  }
}

async function listModels({ options, key }: Context): Promise<Response> {
  const entries = (await options.catalog.list()).filter(isServable);
  const data = entries.filter((entry) => isAllowed(key, entry.id)).map(modelBody);
  return json({ object: 'list', data });
}

async function getModel({ options, key, rest }: Context): Promise<Response> {
  return json(modelBody(await servableModel(options.catalog, key, rest)));
}

async function createChatCompletion({ request, options, key }: Context): Promise<Response> {
  const body = await parseBody(request, chatRequestSchema);
  const job = { ...chatJob(body), client: key.id, ...rightsOf(key) };
  await textModel(options.catalog, key, job.model);
  const meta = answerMeta('chatcmpl', job.model);
  const encoder = chatEncoder(meta, body.stream_options?.include_usage ?? false);
  return respond({ ...options, job, encoder, stream: body.stream ?? false });
}

async function createCompletion({ request, options, key }: Context): Promise<Response> {
  const body = await parseBody(request, completionRequestSchema);
  const job = { ...completionJob(body), client: key.id, ...rightsOf(key) };
  await textModel(options.catalog, key, job.model);
  const meta = answerMeta('cmpl', job.model);
  const encoder = completionEncoder(meta, body.stream_options?.include_usage ?? false);
  return respond({ ...options, job, encoder, stream: body.stream ?? false });
}

async function createSpeech({ request, options, key }: Context): Promise<Response> {
  const body = await parseBody(request, speechRequestSchema);
  return respondSpeech({ ...options, job: await speakJob(body, options.catalog, key) });
}

/** What `<audio src>` gets: the request is in the URL, which the page library has signed. */
async function listenToSpeech(context: Context): Promise<Response> {
  const { request, options, recordings, key } = context;
  const body = parseValue(speechQuery(new URL(request.url)), speechRequestSchema);
  const job = await speakJob(body, options.catalog, key);
  const recording = await recordings.get(request.url, () => record({ ...options, job }));
  return respondListener(recording, {
    format: job.format,
    range: request.headers.get('range'),
    graceMs: options.graceMs?.json,
  });
}

async function speakJob(body: SpeechRequest, catalog: Catalog, key: StoredKey): Promise<SpeakJob> {
  const model = await servableModel(catalog, key, body.model);
  if (model.task !== 'speech') throw wrongEndpoint(model);
  return { ...speechJob(body, model.speech), client: key.id, ...rightsOf(key) };
}

async function textModel(catalog: Catalog, key: StoredKey, id: string): Promise<void> {
  const model = await servableModel(catalog, key, id);
  if (model.task !== 'chat') throw wrongEndpoint(model);
}

/** What a model does, and the endpoint that it is for. */
const USES: Record<Task, string> = {
  chat: 'writes text; use it with POST v1/chat/completions',
  speech: 'speaks; use it with POST v1/audio/speech',
  embedding: 'computes embeddings',
  rerank: 'ranks documents',
  transcription: 'transcribes speech',
};

function wrongEndpoint({ id, task }: CatalogEntry): ApiError {
  return unsupportedValue(`The model '${id}' ${USES[task]}.`, 'model');
}

async function servableModel(catalog: Catalog, key: StoredKey, id: string): Promise<CatalogEntry> {
  if (!isAllowed(key, id)) throw modelNotAllowed(id);
  const entry = await catalog.get(id);
  if (!entry) {
    throw modelNotFound(id, 'GET v1/models lists what can be used; models.add() adds one.');
  }
  if (!isServable(entry) && !key.autoInstall) throw notInstalled(id);
  return entry;
}

/** What a job may do for this key. */
function rightsOf({ autoInstall }: StoredKey): Pick<GenerateJob, 'autoInstall'> {
  return autoInstall ? { autoInstall } : {};
}

function isAllowed(key: StoredKey, model: string): boolean {
  return key.models === undefined || key.models.includes(model);
}

function json(body: unknown): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } });
}

/** What another site's top-level form or window.open gets: it arrives here, but is no API client. */
export function navigationRefused(): Response {
  return errorResponse({
    status: 403,
    type: 'invalid_request_error',
    code: null,
    param: null,
    message: 'This is an API; it does not answer navigations.',
  });
}

/** The one place where an error becomes a response. */
export function errorResponse(data: ApiErrorData): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (data.retryAfterMs !== undefined) {
    headers.set('retry-after', String(Math.ceil(data.retryAfterMs / 1000)));
    headers.set('retry-after-ms', String(Math.ceil(data.retryAfterMs)));
  }
  if (data.retryable === false) headers.set('x-should-retry', 'false');
  if (data.allow !== undefined) headers.set('allow', data.allow);
  return Response.json({ error: errorBody(data) }, { status: data.status, headers });
}

function unknownPath(method: string, path: string): ApiError {
  return new ApiError({
    status: 404,
    type: 'invalid_request_error',
    code: null,
    param: null,
    message: `Invalid URL (${method} /${path})`,
  });
}

function methodNotAllowed(method: string, allowed: Route['method'][]): ApiError {
  const methods = allowed.flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  return new ApiError({
    status: 405,
    type: 'invalid_request_error',
    code: 'method_not_supported',
    param: null,
    message: `The method ${method} is not supported here; use ${allowed.join(' or ')}.`,
    allow: [...methods, 'OPTIONS'].join(', '),
  });
}
