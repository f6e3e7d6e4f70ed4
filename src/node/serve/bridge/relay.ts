import { bodyTooLarge, MAX_BODY_BYTES } from '../../../core/errors/errors.ts';
import type { AnswerSink, BridgePage, Exchange } from './bridge-page.ts';
import { engineGone, sendError } from './errors.ts';
import type { ApiRequest, ApiResponse } from './http-messages.ts';
import { requestHeaders, responseHeaders } from './headers.ts';

/**
 * Lets the page answer the request, and streams the bytes unchanged in both directions. If the client
 * disconnects, the page aborts its fetch.
 *
 * @param path - the path below the base URL, with the query
 */
export async function relay(
  request: ApiRequest,
  response: ApiResponse,
  { page, path }: { page: BridgePage; path: string },
): Promise<void> {
  const method = request.method ?? 'GET';
  const headers = requestHeaders(request.rawHeaders);
  const exchange: Exchange = page.open(
    { method, path, headers },
    answerTo(response, (bytes) => exchange.credit(bytes)),
  );
  let isClosed = false;
  response.once('close', () => {
    isClosed = true;
    exchange.abort();
  });
  const complete = await sendBody(request, exchange);
  if (complete) return exchange.finish();
  exchange.abort();
  if (!isClosed) sendError(response, bodyTooLarge().data);
}

/** Writes an answer into the response. `taken` is called with the size of each piece that was sent. */
function answerTo(response: ApiResponse, taken: (bytes: number) => void): AnswerSink {
  return {
    head({ status, headers }) {
      response.writeHead(status, responseHeaders(headers));
      response.flushHeaders?.();
    },
    body: (bytes) => void response.write(bytes, () => taken(bytes.length)),
    end: () => void response.end(''),
    fail: (message) => sendError(response, engineGone(message)),
  };
}

/** Returns false if the body is too large. Also returns when the client disconnects. */
async function sendBody(request: ApiRequest, exchange: Exchange): Promise<boolean> {
  let size = 0;
  try {
    // Stopping early must not destroy the request: the client has to read the error.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return false;
      await exchange.send(chunk);
    }
  } catch {
    // The connection broke. The response's `close` event tells the page.
  }
  return true;
}
