import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BridgePage } from './bridge-page.ts';
import {
  engineGone,
  hostRefused,
  methodRefused,
  originRefused,
  sendError,
  unknownUrl,
} from './errors.ts';
import { isAddressedToUs } from './host-check.ts';
import { relay } from './relay.ts';
import { requestUrl } from './request-url.ts';

export interface BridgeOptions {
  /** The page that answers. Pending until a page is ready; rejects when the server is ending. */
  page: () => Promise<BridgePage>;
  /** Origins of web pages that may use the bridge; `*` allows any. */
  allowOrigins: string[];
}

/** Path of the API's base URL. */
const BASE = '/v1';

/** Passes every request under `/v1` to the page, and the page's answer back. */
export function createBridge(options: BridgeOptions): RequestListener {
  return (request, response) => {
    // A broken connection also emits `close`, which is handled. Nothing needs the reason.
    response.on('error', () => {});
    answer(request, response, options).catch((error: unknown) =>
      sendError(response, engineGone(error instanceof Error ? error.message : String(error))),
    );
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { page, allowOrigins }: BridgeOptions,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { origin, host = '' } = request.headers;
  if (!isAddressedToUs(request)) {
    return sendError(response, hostRefused(host, request.socket.localPort));
  }
  if (origin !== undefined) {
    if (!isAllowed(origin, allowOrigins)) return sendError(response, originRefused(origin));
    allowReading(response, origin);
    if (isPreflight(request)) return answerPreflight(request, response);
  }
  const path = pathBelow(url);
  if (path === undefined) return sendError(response, unknownUrl(method, url));
  if (method === 'TRACE') return sendError(response, methodRefused(method));
  const ready = await page();
  if (!response.destroyed) await relay(request, response, { page: ready, path });
}

/**
 * The path after `/v1`, with the query, as the client wrote it. Only `.` and `..` are resolved, because the
 * page's fetch would resolve them after this check. Undefined for paths outside `/v1`.
 */
export function pathBelow(url: string): string | undefined {
  const { pathname = '', search = '' } = requestUrl(url) ?? {};
  const isBelow = pathname === BASE || pathname.startsWith(`${BASE}/`);
  return isBelow ? pathname.slice(BASE.length) + search : undefined;
}

/** Any web page that the user visits can reach this port, so its origin must be allowed explicitly. */
function isAllowed(origin: string, allowOrigins: string[]): boolean {
  return allowOrigins.includes('*') || allowOrigins.includes(origin);
}

function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', '*');
  response.setHeader('vary', 'origin');
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '*',
  );
  response.writeHead(204).end();
}
