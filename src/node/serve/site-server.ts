import { existsSync, readFileSync } from 'node:fs';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import send, { type SendOptions } from 'send';
import { isAddressedToUs } from './bridge/host-check.ts';
import { requestUrl } from './bridge/request-url.ts';

/** @throws Error if the folder is not a site that slashv1 can serve */
export function checkSite(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(path)) throw new Error(`There is no folder ${path}.`);
  for (const file of ['index.html', 'sw.js']) {
    if (!existsSync(join(path, file))) {
      throw new Error(`${path} has no ${file}. Give the folder of a built site that uses slashv1.`);
    }
  }
  return path;
}

/** Whether a site is our console, and not a user's own site. */
export function isConsole(folder: string): boolean {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return /<meta name="application-name" content="slashv1 console"/.test(page);
}

const HEADERS = new Headers({
  // Browsers then revalidate every file. On one computer that costs little, and files of two builds are
  // never mixed.
  'cache-control': 'no-cache',
  // These make the page cross-origin isolated: threads can share memory, so speech uses several. Images of
  // other sites still load, without cookies.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'credentialless',
});

/** Bytes that are read from a file at once. With Node's 64 kB, a model took one and a half times as much CPU time. */
const READ = 1 << 20;

/** Path of a URL → the file that is served there. */
export type ServedFiles = ReadonlyMap<string, string>;

/**
 * Serves the files of a folder, except dot files, with ranges and conditional requests. A request whose `Host` is not this
 * computer is refused: with DNS rebinding, a web page could read the files.
 *
 * @param others - served in addition
 */
export function createSiteServer(folder: string, others: ServedFiles = new Map()): Server {
  return createServer((request, response) => {
    const url = requestUrl(request.url);
    if (!isAddressedToUs(request)) refuse(response, { status: 403, message: 'Forbidden' });
    else if (!url) refuse(response, { status: 400, message: 'Bad Request' });
    else if (request.method === 'GET' || request.method === 'HEAD') {
      const other = others.get(url.pathname);
      const file = other === undefined ? { folder, path: url.pathname } : inFolder(other);
      sendFile(request, response, file);
    } else {
      const headers = { allow: 'GET, HEAD' };
      refuse(response, { status: 405, message: 'Method Not Allowed', headers });
    }
  });
}

function inFolder(file: string): { folder: string; path: string } {
  return { folder: dirname(file), path: encodeURIComponent(basename(file)) };
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, path }: { folder: string; path: string },
): void {
  const options: SendOptions & { highWaterMark: number } = {
    root: folder,
    cacheControl: false,
    dotfiles: 'ignore',
    // `send` passes it on to the file's stream.
    highWaterMark: READ,
  };
  send(request, path, options)
    .on('headers', (headed: ServerResponse) => headed.setHeaders(HEADERS))
    .on('error', ({ status, headers }: Refusal) =>
      // The error's own message has the path of the file.
      refuse(response, { status, message: STATUS_CODES[status] ?? '', headers }),
    )
    .pipe(response);
}

interface Refusal {
  status: number;
  message: string;
  headers?: OutgoingHttpHeaders | undefined;
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(message);
}
