import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A text, or a file on disk. */
export type Served = string | { path: string };

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
};

function contentType(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

async function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  name: string,
  served: Served,
): Promise<void> {
  const isText = typeof served === 'string';
  response.setHeader('Content-Type', contentType(name));
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader(
    'Content-Length',
    isText ? Buffer.byteLength(served) : statSync(served.path).size,
  );
  if (method === 'HEAD') response.end();
  else if (isText) response.end(served);
  else await pipeline(createReadStream(served.path), response);
}

/** Path below the base, or undefined for a URL outside it. */
function nameOf(url: string | undefined, base: string): string | undefined {
  const { pathname } = new URL(url ?? '/', 'http://localhost');
  return pathname.startsWith(base) ? decodeURI(pathname.slice(base.length)) : undefined;
}

/** Middleware that answers GET and HEAD for the named files below `base`, which begins and ends with "/". */
export function serveFiles(base: string, files: Record<string, () => Served>): Middleware {
  return (request, response, next) => {
    const name = nameOf(request.url, base);
    const file = name !== undefined && Object.hasOwn(files, name) ? files[name] : undefined;
    if (!/^(GET|HEAD)$/.test(request.method ?? '') || name === undefined || !file) return next();
    // A client that disconnects while it gets a shard is not an error of the server.
    send(request, response, name, file()).catch(
      (error: unknown) => response.headersSent || next(error),
    );
  };
}
