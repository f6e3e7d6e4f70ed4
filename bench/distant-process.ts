/**
 * The process of `serveFromAfar`: serves a folder over a line of limited speed. Its arguments are the folder and the
 * speed. It sends its origin to its parent, and answers each message with the paths of all requests so far. It ends
 * with its parent.
 *
 * A distant server takes no time of the measured computer, so this process must take little: it reads large files into
 * memory before the first request.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { listen } from '../src/node/serve/listen.ts';
import { createSiteServer } from '../src/node/serve/site-server.ts';
import { Line } from './line.ts';

/** Bytes. Files of at least this size are large; they are sent in pieces of this size. */
const LARGE = 1 << 20;

/** The large files of a folder, by their paths in URLs. */
function largeFiles(root: string): Map<string, Buffer> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).isFile() && statSync(path).size >= LARGE);
  return new Map(paths.map((path) => [`/${relative(root, path)}`, readFileSync(path)]));
}

/** The requested file, if it is large and requested as a whole. */
function largeFile({ method, url = '/', headers }: IncomingMessage): Buffer | undefined {
  if (method !== 'GET' || headers.range !== undefined) return undefined;
  return large.get(new URL(url, 'http://localhost').pathname);
}

/** Lets the site's server answer with headers only, and adds the body. */
function sendFromMemory(file: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const end = response.end.bind(response);
  request.method = 'HEAD';
  const endWithBody = (): ServerResponse => {
    for (let at = 0; response.statusCode === 200 && at < file.length; at += LARGE) {
      response.write(file.subarray(at, at + LARGE));
    }
    return end();
  };
  Object.assign(response, { end: endWithBody });
}

/** Makes the response wait for the line before each piece. */
function sendOver(line: Line, response: ServerResponse): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let sent = Promise.resolve();
  const send = async (piece: Buffer | string) => {
    await line.carry(piece.length);
    if (response.destroyed) return;
    write(piece);
    // `write` returned false, so the writer waits for this event.
    response.emit('drain');
  };
  const throttled = {
    write(piece: Buffer | string): boolean {
      sent = sent.then(() => send(piece));
      return false;
    },
    end(piece?: Buffer | string): ServerResponse {
      if (piece !== undefined) throttled.write(piece);
      void sent.then(() => end());
      return response;
    },
  };
  Object.assign(response, throttled);
}

const [folder = '', bytesPerSecond = ''] = process.argv.slice(2);
const large = largeFiles(folder);
const line = new Line(Number(bytesPerSecond));
const paths: string[] = [];
const server = createSiteServer(folder);
server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
  paths.push(request.url ?? '/');
  response.setHeader('access-control-allow-origin', '*');
  sendOver(line, response);
  const file = largeFile(request);
  if (file) sendFromMemory(file, request, response);
});
const { origin } = await listen(server, 0, '--port');
process.on('message', () => process.send?.(paths));
process.on('disconnect', () => process.exit());
process.send?.(origin);
