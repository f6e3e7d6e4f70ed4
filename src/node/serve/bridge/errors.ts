import { randomUUID } from 'node:crypto';
import { constants, Http2ServerResponse } from 'node:http2';
import type { ApiErrorData } from '../../../core/errors/errors.ts';
import type { ApiResponse } from './http-messages.ts';

const INTERNAL_ERROR = constants.NGHTTP2_INTERNAL_ERROR;

/** An error of the bridge itself, in the API's shape. Errors of the page pass through unchanged. */
export type BridgeError = Pick<ApiErrorData, 'status' | 'type' | 'code' | 'message'>;

export function engineGone(message: string): BridgeError {
  return { status: 503, type: 'server_error', code: 'engine_error', message };
}

/** @param path - as the client wrote it */
export function unknownUrl(method: string, path: string): BridgeError {
  return invalid(404, null, `Invalid URL (${method} ${path})`);
}

/** @param host - as the client wrote it */
export function hostRefused(host: string, port = 0): BridgeError {
  return invalid(
    403,
    'host_not_allowed',
    `This server can be reached as 127.0.0.1:${port} or localhost:${port}, not as "${host}".`,
  );
}

export function originRefused(origin: string): BridgeError {
  return invalid(
    403,
    'origin_not_allowed',
    `Web pages of ${origin} can use this server only if it is started with --allow-origin ${origin}.`,
  );
}

/** The error for TRACE, the only method that reaches the bridge and that `fetch` refuses to send. */
export function methodRefused(method: string): BridgeError {
  return invalid(405, 'method_not_supported', `The method ${method} is not supported.`);
}

function invalid(status: number, code: string | null, message: string): BridgeError {
  return { status, type: 'invalid_request_error', code, message };
}

/** Answers with the error. If the response has begun, breaks it off, so that it does not look complete. */
export function sendError(response: ApiResponse, error: BridgeError): void {
  if (response.headersSent) return breakOff(response);
  const { status, type, code, message } = error;
  const body = JSON.stringify({ error: { message, type, param: null, code } });
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', String(Buffer.byteLength(body)));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-request-id', `req_${randomUUID().replaceAll('-', '')}`);
  response.writeHead(status);
  response.end(body);
}

function breakOff(response: ApiResponse): void {
  // An HTTP/1.0 body ends when the connection closes, so only a reset shows that it is incomplete.
  if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
  // Without a code, the end of a stream of HTTP/2 looks complete.
  else if (response instanceof Http2ServerResponse) response.stream.close(INTERNAL_ERROR);
  else response.destroy();
}
