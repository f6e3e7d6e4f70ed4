import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends a request that is not a browser's: its path and headers are sent unchanged. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; path?: string } = {},
) {
  const { hostname, port, pathname } = new URL(url);
  const request = httpRequest({ hostname, port, path: pathname, ...options });
  // If somebody waits for the response, that fails too.
  request.on('error', () => {});
  return request;
}

export async function responseTo(request: ReturnType<typeof send>): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('No response.');
  return response;
}

/** The answer to a POST, its body still to be read. */
export function post(url: string, body: string | Uint8Array = '{}'): Promise<IncomingMessage> {
  return responseTo(send(url, { method: 'POST' }).end(body));
}

export async function get(url: string, options: Parameters<typeof send>[1] = {}) {
  const response = await responseTo(send(url, options).end());
  return { response, body: await text(response) };
}

/** Sends a request byte for byte, in Latin-1, and returns the first bytes of the answer. */
export async function rawAnswer(origin: string, request: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  try {
    socket.write(request, 'latin1');
    const [data]: Buffer[] = await once(socket, 'data');
    return String(data);
  } finally {
    socket.destroy();
  }
}

/** A WebSocket's request to `/bridge`, byte for byte; `headers` replace the usual ones. */
export function upgradeRequest(origin: string, headers: Record<string, string>): string {
  const all = {
    host: new URL(origin).host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': `${'a'.repeat(22)}==`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET /bridge HTTP/1.1\r\n${lines.join('')}\r\n`;
}
