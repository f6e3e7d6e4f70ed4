import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chromium, type BrowserContext, type Page } from 'playwright/test';
import * as v from 'valibot';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { launchChromium } from './chromium.ts';

/** The protocol's own default leaves out `browser` and `tab`; https://chromedevtools.github.io/devtools-protocol/tot/Target/#type-TargetFilter */
const WITHOUT_SERVICE_WORKERS = [
  { type: 'service_worker', exclude: true },
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  {},
];

const commandSchema = v.looseObject({ method: v.string(), params: v.optional(v.looseObject({})) });

/**
 * A profile in a browser in which no service worker has a debugger attached. Playwright attaches one to
 * each, and Chromium treats those otherwise: they are never idle, and updates may wait for minutes.
 */
export async function withUndebugged<T>(use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const { endpoint, close } = await launchChromium();
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

/** Stops every service worker, as the browser itself does with an idle one; returns when they are. */
export async function stopServiceWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const running = async () => {
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
    return targetInfos.flatMap(({ type, targetId }) => (type === 'service_worker' ? targetId : []));
  };
  const before = await running();
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  // A page may have made it start again at once.
  while ((await running()).some((id) => before.includes(id)));
  await session.detach();
}

/** Passes on what both say, save that the client is not attached to service workers. */
function relay(client: WebSocket, browser: WebSocket): void {
  const opened = once(browser, 'open');
  client.on('message', (data) => void opened.then(() => browser.send(filtered(data))));
  browser.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
  client.on('close', () => browser.close());
  browser.on('close', () => client.close());
}

function filtered(data: RawData): string {
  const text = (data as Buffer).toString();
  const command = v.parse(commandSchema, JSON.parse(text));
  if (command.method !== 'Target.setAutoAttach') return text;
  const params = { ...command.params, filter: WITHOUT_SERVICE_WORKERS };
  return JSON.stringify({ ...command, params });
}
