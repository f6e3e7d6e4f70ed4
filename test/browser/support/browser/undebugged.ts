import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chromium, type BrowserContext, type Page } from 'playwright/test';
import * as v from 'valibot';
import { WebSocket, WebSocketServer } from 'ws';
import { launchChromium } from './chromium.ts';

/**
 * The protocol's default, without service workers:
 * https://chromedevtools.github.io/devtools-protocol/tot/Target/#type-TargetFilter
 */
const WITHOUT_SERVICE_WORKERS = [
  { type: 'service_worker', exclude: true },
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  {},
];

const commandSchema = v.looseObject({
  id: v.number(),
  sessionId: v.optional(v.string()),
  method: v.string(),
  params: v.optional(v.looseObject({})),
});

/**
 * Runs with a new profile in a browser that attaches no debugger to service workers and does not record
 * the pages' requests. Playwright does both by default. But a service worker with a debugger is never
 * idle, so updates may wait for minutes. And the record grows with each fetch, in the page's process.
 *
 * @param flags - additional command-line switches
 */
export async function withUndebugged<T>(
  use: (context: BrowserContext) => Promise<T>,
  flags?: string[],
): Promise<T> {
  const { endpoint, close } = await launchChromium(flags);
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  proxy.on('connection', (client) => relay(client, new WebSocket(endpoint)));
  try {
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${port}`);
    const [context] = browser.contexts();
    if (!context) throw new Error('The browser has no profile.');
    return await use(context);
  } finally {
    proxy.close();
    await close();
  }
}

/** Stops every service worker, as the browser does with idle ones; returns when they have stopped. */
export async function stopServiceWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const running = async () => {
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
    return targetInfos.flatMap(({ type, targetId }) => (type === 'service_worker' ? targetId : []));
  };
  const before = await running();
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  // A page may have started a new one at once, so only those from before are waited for.
  while ((await running()).some((id) => before.includes(id)));
  await session.detach();
}

/** Relays messages both ways, but hides service workers and requests from the client. */
function relay(client: WebSocket, browser: WebSocket): void {
  const opened = once(browser, 'open');
  client.on('message', (data: Buffer) => {
    const command = v.parse(commandSchema, JSON.parse(data.toString()));
    const { id, sessionId, method, params } = command;
    if (method === 'Network.enable') {
      return client.send(JSON.stringify({ id, sessionId, result: {} }));
    }
    const filtered = { ...command, params: { ...params, filter: WITHOUT_SERVICE_WORKERS } };
    const passed = method === 'Target.setAutoAttach' ? filtered : command;
    void opened.then(() => browser.send(JSON.stringify(passed)));
  });
  browser.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
  // The browser may be killed in the middle of a message; `close` follows the error.
  browser.on('error', () => undefined);
  client.on('close', () => browser.close());
  browser.on('close', () => client.close());
}
