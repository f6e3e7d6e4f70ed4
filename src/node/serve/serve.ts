import { createServer, type Server } from 'node:http';
import { createKey } from '../../core/stores/key-format.ts';
import { findChromium, type GpuMode } from '../browser.ts';
import { PageFailure } from './bridge-page.ts';
import { createBridge } from './bridge.ts';
import { launchChromium } from './chromium.ts';
import { HeadlessPage } from './headless-page.ts';
import { listen } from './listen.ts';
import { openBrowser } from './open-browser.ts';
import type { HeadlessOptions, ServeOptions } from './options.ts';
import { PageDoor } from './page-door.ts';
import { progressLog } from './progress-log.ts';
import { checkSite, createSiteServer } from './site-server.ts';

/**
 * Serves the site, and the bridge if it is wanted, until the signal aborts. Writes to stdout only the line
 * that says that the bridge is ready. Everything else goes to stderr.
 *
 * @throws Error that says what to do
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const server = createSiteServer(checkSite(options.folder));
  const { origin, close } = await listen(server, options.port, '--port');
  try {
    log(`The site is at ${origin}/`);
    if (options.open) openBrowser(`${origin}/`);
    if (options.headless) await serveBridge(options.headless, { server, origin }, signal);
    else await untilAborted(signal);
  } finally {
    await close();
  }
}

interface Site {
  server: Server;
  origin: string;
}

async function serveBridge(
  { key = createKey(), model, gpu, apiPort, allowOrigins }: HeadlessOptions,
  site: Site,
  signal: AbortSignal,
): Promise<void> {
  const executable = findChromium();
  const headless = new HeadlessPage({
    door: new PageDoor(site.server),
    launch: (token) => launchChromium({ executable, gpu, url: `${site.origin}/#bridge=${token}` }),
    start: { apiKey: key, model, onProgress: progressLog(log) },
    log,
  });
  const server = createServer(createBridge({ page: () => headless.page(), allowOrigins }));
  // Clients are on this computer: they may send slowly and reuse their connections.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  const { origin, close } = await listen(server, apiPort, '--api-port');
  try {
    log(`Starting ${executable} ...`);
    await headless.run(() => process.stdout.write(`ready ${origin}/v1 key=${key}\n`), signal);
  } catch (error) {
    throw withAdvice(error, gpu);
  } finally {
    await close();
  }
}

/** The page's message is for its visitors. Users of the command line have one more option. */
function withAdvice(error: unknown, gpu: GpuMode): unknown {
  const noGpu = error instanceof PageFailure && error.code === 'webgpu_unavailable';
  if (!noGpu || gpu === 'software') return error;
  return new Error(`${error.message}\nTry --gpu software: slow, but it needs no GPU.`);
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
