import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  /** Path with the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A server of the same API, whose answers the test writes. Pages of all origins may use it. */
export interface UpstreamServer {
  baseURL: string;
  requests: SeenRequest[];
  /** Answers all requests except `GET models`. */
  answer: (response: ServerResponse, seen: SeenRequest) => void | Promise<void>;
  /** Answers `GET models`. */
  listModels: (response: ServerResponse) => void;
  server: Server;
  close(): Promise<void>;
}

/** @param ids - ids of the server's models */
export async function openUpstream(ids: string[]): Promise<UpstreamServer> {
  const server = createServer((request, response) => void serve(request, response));
  // If this thread was busy for five seconds, the server closes an idle connection while Node's fetch sends on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const upstream: UpstreamServer = {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests: [],
    answer: (response) => sendJson(response, { id: 'chatcmpl-1', choices: [] }),
    listModels: (response) =>
      sendJson(response, { object: 'list', data: ids.map((id) => ({ id, owned_by: 'them' })) }),
    server,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url: path = '', headers } = request;
    response.setHeader('access-control-allow-origin', '*');
    if (method === 'OPTIONS') {
      // Browsers ask this before they send the headers.
      response.setHeader('access-control-allow-headers', 'authorization, content-type, x-trace');
      response.setHeader('access-control-max-age', '600');
      response.writeHead(204).end();
      return;
    }
    const seen = { method, path, headers, body: Buffer.concat(parts) };
    upstream.requests.push(seen);
    if (path === '/v1/models') upstream.listModels(response);
    else await upstream.answer(response, seen);
  }
  return upstream;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
