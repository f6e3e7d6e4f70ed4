import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface HttpServer {
  /** Ends in "/". */
  url: string;
  /** All requests, in order: `GET /path?query`. */
  requests: string[];
  /** Path and query → answer. A test may change it. */
  answers: Record<string, Answer>;
}

/** A server on a free port until the test ends. Paths that are not listed are 404. */
export async function startServer(answers: Record<string, Answer>): Promise<HttpServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(`${request.method} ${url}`);
    const answer = answers[url];
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  });
  // If this thread was busy for five seconds, the server closes an idle connection while Node's fetch sends on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}/`, requests, answers };
}

/** The address of a server that is not there any more. */
export async function closedServer(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

export const sends =
  (body: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(200, headers).end(body);
  };

export const sendsJson = (value: unknown): Answer =>
  sends(JSON.stringify(value), { 'content-type': 'application/json' });

export const fails =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status).end();
  };

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
