import { inTime } from '../../../core/async/in-time.ts';
import type { BridgePage } from './bridge-page.ts';
import {
  engineGone,
  hostRefused,
  methodRefused,
  originRefused,
  sendError,
  unknownUrl,
} from './errors.ts';
import { hostOf, isAddressedToUs } from './host-check.ts';
import type { ApiListener, ApiRequest, ApiResponse } from './http-messages.ts';
import { relay } from './relay.ts';
import { requestUrl } from './request-url.ts';
import { messageOf } from '../../../core/text/message-of.ts';

export interface BridgeOptions {
  /** The page that answers. Pending until a page is ready; rejects when the server is ending. */
  page: () => Promise<BridgePage>;
  /** Origins of web pages that may use the bridge; `*` allows any. */
  allowOrigins: string[];
  /** URL of the site. Browsers that open the bridge are redirected there. */
  site: string;
}

/** Path of the API's base URL. */
const BASE = '/v1';
/** Path below the base URL that tells whether the server answers. */
const HEALTH = '/health';
/** Timeout of `/health`, milliseconds. */
const HEALTH_WAIT_MS = 1_000;

/** Passes every request to the page's `/v1`, and the page's answer back. */
export function createBridge(options: BridgeOptions): ApiListener {
  return (request, response) => {
    // A broken connection also emits `close`, which is handled. Nothing needs the reason.
    response.on('error', () => {});
    answer(request, response, options).catch((error: unknown) =>
      sendError(response, engineGone(messageOf(error))),
    );
  };
}

async function answer(
  request: ApiRequest,
  response: ApiResponse,
  { page, allowOrigins, site }: BridgeOptions,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { origin } = request.headers;
  let isClosed = false;
  response.once('close', () => (isClosed = true));
  if (!isAddressedToUs(request)) {
    return sendError(response, hostRefused(hostOf(request) ?? '', request.socket.localPort));
  }
  if (origin !== undefined) {
    if (!isAllowed(origin, allowOrigins)) return sendError(response, originRefused(origin));
    allowReading(response, origin);
    if (isPreflight(request)) return answerPreflight(request, response);
  }
  if (isVisit(request)) return showSite(response, site);
  const path = pathBelow(url);
  if (path === undefined) return sendError(response, unknownUrl(method, url));
  if (method === 'TRACE') return sendError(response, methodRefused(method));
  const ready = await (path.split('?', 1)[0] === HEALTH
    ? inTime(page(), HEALTH_WAIT_MS, starting)
    : page());
  if (!isClosed) await relay(request, response, { page: ready, path });
}

/** Whether someone opens the bridge's own address in a browser. Other programs do not ask for HTML. */
function isVisit({ method, url, headers }: ApiRequest): boolean {
  const isRoot = (method === 'GET' || method === 'HEAD') && (url ?? '/') === '/';
  return isRoot && (headers.accept?.includes('text/html') ?? false);
}

function showSite(response: ApiResponse, site: string): void {
  response.setHeader('location', site);
  response.setHeader('cache-control', 'no-store');
  response.writeHead(302);
  response.end('');
}

/**
 * The path after `/v1`, which may be missing, with the query, as the client wrote it. Only `.` and `..` are
 * resolved, because the page's fetch would resolve them after this check. Undefined if the URL has no path.
 */
export function pathBelow(url: string): string | undefined {
  const target = requestUrl(url);
  if (!target) return undefined;
  const { pathname, search } = target;
  if (pathname === '/ping') return HEALTH + search;
  const isBelow = pathname === BASE || pathname.startsWith(`${BASE}/`);
  return (isBelow ? pathname.slice(BASE.length) : pathname) + search;
}

function starting(): Error {
  return new Error('The page that runs the engine is starting.');
}

/** Any web page that the user visits can reach this port, so its origin must be allowed explicitly. */
function isAllowed(origin: string, allowOrigins: string[]): boolean {
  return allowOrigins.includes('*') || allowOrigins.includes(origin);
}

function allowReading(response: ApiResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', '*');
  response.setHeader('vary', 'origin');
}

function isPreflight({ method, headers }: ApiRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ headers }: ApiRequest, response: ApiResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, DELETE, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '*',
  );
  response.writeHead(204);
  response.end('');
}
