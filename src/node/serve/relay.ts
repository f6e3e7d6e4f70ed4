import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge, MAX_BODY_BYTES } from '../../core/errors.ts';
import type { AnswerSink, BridgePage, Exchange } from './bridge-page.ts';
import { engineGone, sendError } from './errors.ts';
import { requestHeaders, responseHeaders } from './headers.ts';

/**
 * Lets the page answer the request: byte for byte and piece for piece as it comes. When the client
 * hangs up, so does the page.
 *
 * @param path - below the base URL, with its query
 */
export async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  { page, path }: { page: BridgePage; path: string },
): Promise<void> {
  const method = request.method ?? 'GET';
  const headers = requestHeaders(request.rawHeaders);
  const exchange: Exchange = page.open(
    { method, path, headers },
    answerTo(response, (bytes) => exchange.credit(bytes)),
  );
  response.once('close', () => exchange.abort());
  const complete = await sendBody(request, exchange);
  if (complete) return exchange.finish();
  exchange.abort();
  if (!response.destroyed) sendError(response, bodyTooLarge().data);
}

/** Writes an answer into the response; `taken` is told how many bytes the client's system took. */
function answerTo(response: ServerResponse, taken: (bytes: number) => void): AnswerSink {
  return {
    head({ status, headers }) {
      response.writeHead(status, responseHeaders(headers));
      response.flushHeaders();
    },
    body: (bytes) => void response.write(bytes, () => taken(bytes.length)),
    end: () => void response.end(),
    fail: (message) => sendError(response, engineGone(message)),
  };
}

/** False if it was too large. A client that hangs up ends it too. */
async function sendBody(request: IncomingMessage, exchange: Exchange): Promise<boolean> {
  let size = 0;
  try {
    // Not destroyed when we stop early: the client is to read why.
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return false;
      await exchange.send(chunk);
    }
  } catch {
    // Its connection broke; the response's `close` event tells the page.
  }
  return true;
}
