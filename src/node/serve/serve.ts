import type { Server } from 'node:http';
import { createKey } from '../../core/keys/key-format.ts';
import { findChromium } from '../browser.ts';
import { ApiServer } from './api-server.ts';
import { createBridge } from './bridge/bridge.ts';
import { launchChromium } from './browser/chromium.ts';
import { HeadlessPage } from './browser/headless-page.ts';
import { listen } from './listen.ts';
import { openBrowser } from './browser/open-browser.ts';
import { findModels } from './own-models.ts';
import type { HeadlessOptions, ServeOptions } from './options/options.ts';
import { PageDoor } from './bridge/page-door.ts';
import { progressLog } from './progress-log.ts';
import { requestLine } from './bridge/request-line.ts';
import { checkSite, createSiteServer, isConsole } from './site-server.ts';

/**
 * Serves the site, and the bridge if it is wanted, until the signal aborts. Writes to stdout only the line
 * that says that the bridge is ready. Everything else goes to stderr.
 *
 * @throws Error that says what to do
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const folder = checkSite(options.folder);
  const found = findModels(options.headless?.models ?? []);
  const server = createSiteServer(folder, found.files);
  const { origin, close } = await listen(server, options.port, '--port');
  try {
    log(`The ${isConsole(folder) ? 'console' : 'site'} is at ${origin}/`);
    if (options.open) openBrowser(`${origin}/`);
    const models = found.at(origin);
    if (options.headless)
      await serveBridge({ ...options.headless, models }, { server, origin }, signal);
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
  {
    key = createKey(),
    models,
    gpu,
    apiPort,
    allowOrigins,
    log: isLogging,
    ...options
  }: HeadlessOptions,
  site: Site,
  signal: AbortSignal,
): Promise<void> {
  const executable = findChromium();
  const headless = new HeadlessPage({
    door: new PageDoor(site.server),
    launch: (token) => launchChromium({ executable, gpu, url: `${site.origin}/#bridge=${token}` }),
    start: {
      apiKey: key,
      models,
      onProgress: progressLog(log),
      options,
      ...(isLogging && { onRequest: (request) => log(requestLine(request)) }),
    },
    log,
  });
  const bridge = createBridge({
    page: () => headless.page(),
    allowOrigins,
    site: `${site.origin}/`,
  });
  const server = new ApiServer(bridge);
  const { origin, close } = await listen(server, apiPort, '--api-port');
  try {
    log(`Starting ${executable} ...`);
    await headless.run(() => process.stdout.write(`ready ${origin}/v1 key=${key}\n`), signal);
  } finally {
    await close();
  }
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
