import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { build } from 'vite';
import { SPEECH_FILES } from '../../../src/core/protocol/speech-files.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const SITE = join(ROOT, 'test/browser/site');
const SCRIPTS = join(ROOT, '.cache/test-site');

/** Where the built library is. */
export const LIBRARY_FOLDER = join(ROOT, 'dist/lib');

const LIBRARY = ['sw.js', 'engine.js', 'slashv1.js', ...SPEECH_FILES];

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Folders of all packs. */
export const PACKS: Record<string, string> = {
  'tiny-chat': join(ROOT, 'models/packs/tiny-chat'),
  // Its manifest is another: whoever offers it has to see to that.
  'tiny-twin': join(ROOT, 'models/packs/tiny-chat'),
  'smollm2-135m': join(ROOT, '.cache/packs/smollm2-135m'),
  'kokoro-82m': join(ROOT, '.cache/packs/kokoro-82m'),
  'test-piper': join(ROOT, '.cache/packs/test-piper'),
};

/** What a test site offers unless it is told otherwise; the first is the fast one. */
const CHAT_PACKS = ['tiny-chat', 'smollm2-135m'];

export const KOKORO = 'hexgrad/Kokoro-82M';
export const PIPER = 'test/piper-joe';
export const TINY = 'slashv1/tiny-chat';
export const SMOLLM2 = 'HuggingFaceTB/SmolLM2-135M-Instruct';

/** `page`: the page library's sources and the openai package; `clients`: the other clients. */
const BUNDLES = ['page', 'direct-worker', 'clients'];

export async function buildTestPage(): Promise<void> {
  for (const name of BUNDLES) {
    await build({
      configFile: false,
      root: SITE,
      publicDir: false,
      logLevel: 'warn',
      // As every bundler for browsers does for what is written for Node as well.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        target: 'es2022',
        outDir: SCRIPTS,
        emptyOutDir: false,
        chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
        lib: { entry: `${name}.ts`, formats: ['es'], fileName: () => `${name}.js` },
      },
    });
  }
}

/** A static site as an embedder would have it: any folder, the library's files beside the page. */
export interface TestSite {
  /** Absolute, ends in "/". */
  url: string;
  /** Paths that were asked for, in order. */
  requests: string[];
  /** While false every connection is cut: the network is gone. */
  online: boolean;
  /** By name of one of the library's scripts, what is put after it: another build of it. */
  builds: Record<string, string>;
  /** Answers a path before the files do, where it returns true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** @param path - folder that the site is in, `/` or e.g. `/repo/` */
export async function serveTestSite(path = '/', packs: string[] = CHAT_PACKS): Promise<TestSite> {
  const server = createServer((request, response) => answer(site, path, packs, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: TestSite = {
    url: `http://127.0.0.1:${port(server)}${path}`,
    requests: [],
    online: true,
    builds: {},
    intercept: undefined,
    close: () => closeServer(server),
  };
  return site;
}

export function port(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answer(
  site: TestSite,
  root: string,
  packs: string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname } = new URL(request.url ?? '/', site.url);
  if (!site.online) return void request.socket.destroy();
  site.requests.push(pathname);
  if (site.intercept?.(request, response)) return;
  const path = pathname.startsWith(root) ? pathname.slice(root.length) : undefined;
  if (path === 'packs/index.json') {
    const index = { packs: packs.map((name) => `${name}/`) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(index));
    return;
  }
  sendFile(path === undefined ? undefined : fileOf(path), response, site.builds[path ?? '']);
}

function fileOf(path: string): string | undefined {
  if (path === '' || path.endsWith('/')) return join(SITE, 'index.html');
  if (BUNDLES.some((name) => path === `${name}.js`)) return join(SCRIPTS, path);
  if (LIBRARY.includes(path)) return join(LIBRARY_FOLDER, path);
  // WebLLM on its own asks for a pack's files as the hub has them.
  const [, pack, file] =
    /^packs\/([^/]+)\/(?:resolve\/main\/)?((?:\w+\/)?[\w.-]+)$/.exec(path) ?? [];
  const folder = pack && PACKS[pack];
  return folder && file ? join(folder, file) : join(SITE, path);
}

function sendFile(file: string | undefined, response: ServerResponse, appended = ''): void {
  if (!file || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': statSync(file).size + Buffer.byteLength(appended),
    'cache-control': 'no-store',
  });
  createReadStream(file)
    .on('end', () => response.end(appended))
    .pipe(response, { end: false });
}
