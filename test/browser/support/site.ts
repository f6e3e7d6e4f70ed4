import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { makeIfChanged } from '../../../scripts/build/stamp.ts';
import { build } from '../../../scripts/build/vite-build.ts';
import { ON_DEMAND_FILES } from '../../../src/core/site/engine-files.ts';
import { PROMPT_API } from '../../../src/core/realms/page-api.ts';
import { HANDLE, SERVICE_WORKER } from '../../../src/core/site/service-worker-files.ts';
import { DECIDING_PACK } from '../../unit/support/models/deciding-model.ts';
import { TONGUES, tonguePack } from '../../unit/support/models/tongue-models.ts';
import { listenAnywhere, sendJson } from './servers.ts';

export const ROOT = new URL('../../../', import.meta.url).pathname;
/** Folder of the test page. */
export const SITE = join(ROOT, 'test/browser/site');
/** Folder of the test page's scripts, once they are built. */
export const SCRIPTS = join(ROOT, '.cache/test-site');

/** Folder of the built library. */
export const LIBRARY_FOLDER = join(ROOT, 'dist/lib');

const LIBRARY = [
  ...['engine.js', 'slashv1.js', PROMPT_API],
  ...Object.values(SERVICE_WORKER),
  ...Object.values(HANDLE),
  ...ON_DEMAND_FILES,
];

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Folders of all packs. */
export const PACKS: Record<string, string> = {
  'tiny-chat': join(ROOT, 'models/packs/tiny-chat'),
  // A site that offers it has to send another manifest.
  'tiny-twin': join(ROOT, 'models/packs/tiny-chat'),
  ...Object.fromEntries(TONGUES.map((tongue) => [`tiny-chat-${tongue}`, tonguePack(tongue)])),
  'tiny-chat-decide': DECIDING_PACK,
  'tiny-embed': join(ROOT, 'models/packs/tiny-embed'),
  'tiny-embed-gguf': join(ROOT, 'models/packs/tiny-embed-gguf'),
  'tiny-rerank': join(ROOT, 'models/packs/tiny-rerank'),
  'tiny-hear': join(ROOT, 'models/packs/tiny-hear'),
  'tiny-see': join(ROOT, 'models/packs/tiny-see'),
  'tiny-look': join(ROOT, '.cache/packs/tiny-look'),
  'smollm2-135m': join(ROOT, '.cache/packs/smollm2-135m'),
  'kokoro-82m': join(ROOT, '.cache/packs/kokoro-82m'),
  'test-piper': join(ROOT, '.cache/packs/test-piper'),
};

/** The packs that a test site offers by default. */
const CHAT_PACKS = ['tiny-chat', 'smollm2-135m'];

export const KOKORO = 'hexgrad/Kokoro-82M';
export const PIPER = 'test/piper-joe';
export const EMBEDDER = 'slashv1/tiny-embed';
export const GGUF_EMBEDDER = 'slashv1/tiny-embed-gguf';
export const RANKER = 'slashv1/tiny-rerank';
export const RECOGNISER = 'slashv1/tiny-hear';
export const SEER = 'slashv1/tiny-see';
export const LOOKER = 'slashv1/tiny-look';
/** A small, fast model whose answers are known. */
export const TINY = 'slashv1/tiny-chat';
export const SMOLLM2 = 'HuggingFaceTB/SmolLM2-135M-Instruct';

/**
 * `page`: the page library's sources and the openai package; `clients`: the other clients; `frame-page`: for frames;
 * `sounds`: encoders; `image-worker`: decodes images; `database-worker`: writes as an engine does; `scripted-engine`:
 * replaces `engine.js`. */
const BUNDLES = [
  'page',
  'direct-worker',
  'image-worker',
  'database-worker',
  'clients',
  'frame-page',
  'sounds',
  'scripted-engine',
];

/** What determines the bundles. */
const SOURCES = [
  'package-lock.json',
  'src',
  'test/browser/site',
  'test/browser/support',
  'test/unit/support',
];

/** Builds the scripts of the test page that are missing or were made from other sources. */
export async function buildTestPage(bundles = BUNDLES): Promise<void> {
  for (const name of bundles) {
    await makeIfChanged({
      name: `test-site-${name}`,
      inputs: SOURCES,
      outputs: [relative(ROOT, join(SCRIPTS, `${name}.js`))],
      make: () => bundle(name),
    });
  }
}

async function bundle(name: string): Promise<void> {
  await build({
    configFile: false,
    root: SITE,
    publicDir: false,
    logLevel: 'warn',
    // Bundlers for browsers define this for packages that are also written for Node.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir: SCRIPTS,
      emptyOutDir: false,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      lib: { entry: `${name}.ts`, formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}

/** Answers a request and returns true, or returns false and leaves it to the site. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A static site that embeds the library: any folder, with the library's files beside the page. */
export interface TestSite {
  /** Absolute, ends in "/". */
  url: string;
  /** Paths of all requests, in order. */
  requests: string[];
  /** While false, every connection is cut as if there were no network. */
  online: boolean;
  /** Name of a library script → what is appended to it, so that it is another build. */
  builds: Record<string, string>;
  /** Name of a library script → what runs before it. */
  preludes: Record<string, string>;
  /** Sees every request first. */
  intercept: Intercept | undefined;
  close(): Promise<void>;
}

/** @param path - the site's folder, e.g. `/` or `/repo/` */
export async function serveTestSite(path = '/', packs: string[] = CHAT_PACKS): Promise<TestSite> {
  const server = createServer((request, response) => answer(site, path, packs, request, response));
  const { origin, close } = await listenAnywhere(server);
  const site: TestSite = {
    url: `${origin}${path}`,
    requests: [],
    online: true,
    builds: {},
    preludes: {},
    intercept: undefined,
    close,
  };
  return site;
}

/** Runs with a test site at `/`. */
export async function withTestSite<T>(
  packs: string[] | undefined,
  use: (site: TestSite) => Promise<T>,
): Promise<T> {
  const site = await serveTestSite('/', packs);
  try {
    return await use(site);
  } finally {
    await site.close();
  }
}

/**
 * Answers one path in place of the site's file.
 *
 * @param content - the answer's body; undefined: 404
 */
export function replaceFile(path: string, content?: string): Intercept {
  return ({ url }, response) => {
    if (url !== path) return false;
    const status = content === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': typeOf(path) }).end(content);
    return true;
  };
}

/**
 * Serves a second site below a path of the first site's origin, like the projects of one user on GitHub Pages.
 *
 * @param preludes - `preludes` of the second TestSite
 */
export function alsoServe(
  path: string,
  packs: string[],
  preludes: TestSite['preludes'] = {},
): Intercept {
  const origin = 'http://localhost';
  const site: TestSite = {
    url: `${origin}${path}`,
    requests: [],
    online: true,
    builds: {},
    preludes,
    intercept: undefined,
    close: () => Promise.resolve(),
  };
  return (request, response) => {
    if (!new URL(request.url ?? '/', origin).pathname.startsWith(path)) return false;
    answer(site, path, packs, request, response);
    return true;
  };
}

/** Adds to every file the headers that let threads share memory. */
export const isolate: Intercept = (_request, response) => {
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  return false;
};

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
    return sendJson(response, { packs: packs.map((name) => `${name}/`) });
  }
  const { builds, preludes } = site;
  const around = { prelude: preludes[path ?? ''], appended: builds[path ?? ''] };
  sendFile(path === undefined ? undefined : fileOf(path), response, around);
}

function fileOf(path: string): string | undefined {
  if (path === '' || path.endsWith('/')) return join(SITE, 'index.html');
  if (BUNDLES.some((name) => path === `${name}.js`)) return join(SCRIPTS, path);
  if (LIBRARY.includes(path)) return join(LIBRARY_FOLDER, path);
  // WebLLM itself requests a pack's files by the paths of the hub.
  const [, pack, file] =
    /^packs\/([^/]+)\/(?:resolve\/main\/)?((?:\w+\/)?[\w.-]+)$/.exec(path) ?? [];
  const folder = pack && PACKS[pack];
  return folder && file ? join(folder, file) : join(SITE, path);
}

function sendFile(
  file: string | undefined,
  response: ServerResponse,
  { prelude = '', appended = '' }: { prelude?: string | undefined; appended?: string | undefined },
): void {
  if (!file || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    return;
  }
  response.writeHead(200, {
    'content-type': typeOf(file),
    'content-length': statSync(file).size + Buffer.byteLength(prelude + appended),
    'cache-control': 'no-store',
  });
  response.write(prelude);
  createReadStream(file)
    .on('end', () => response.end(appended))
    .pipe(response, { end: false });
}

function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
