import type { ApiRequest } from './http-messages.ts';

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether the request's `Host` header names this computer and the port of the connection.
 *
 * A web page can point its own domain at 127.0.0.1 (DNS rebinding). Its requests are then same-origin for
 * the browser and carry no `Origin` header, but `Host` still holds the domain.
 */
export function isAddressedToUs(request: Pick<ApiRequest, 'headers' | 'socket'>): boolean {
  const host = hostOf(request)?.toLowerCase();
  const { socket } = request;
  const port = socket.localPort;
  return NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** The host that the client means to reach. HTTP/2 has its own header for it. */
export function hostOf({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  return headers[':authority'] ?? headers.host;
}
