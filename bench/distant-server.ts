import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../src/node/serve/listen.ts';
import { Line } from './line.ts';

export interface DistantServer {
  origin: string;
  /** The path of each request so far. */
  paths: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves what another server serves, at the end of a line. Pages of other origins may read it.
 *
 * @param origin - of the other server
 * @param bytesPerSecond - limit of the line
 */
export async function serveFromAfar(
  origin: string,
  bytesPerSecond: number,
): Promise<DistantServer> {
  const line = new Line(bytesPerSecond);
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    paths.push(path);
    const forwarded = request(origin + path, {
      method: incoming.method,
      headers: incoming.headers,
    });
    forwarded.on('response', (answer: IncomingMessage) => void send(answer, response, line));
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  const { origin: own, close } = await listen(server, 0, '--port');
  return { origin: own, paths, close };
}

async function send(answer: IncomingMessage, response: ServerResponse, line: Line): Promise<void> {
  const headers = { ...answer.headers, 'access-control-allow-origin': '*' };
  response.writeHead(answer.statusCode ?? 502, headers);
  for await (const piece of answer as AsyncIterable<Buffer>) {
    if (response.destroyed) return;
    await line.carry(piece.length);
    response.write(piece);
  }
  response.end();
}
