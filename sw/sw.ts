/// <reference lib="webworker" />
import * as v from 'valibot';
import { CatalogReader } from '../src/core/stores/catalog.ts';
import { DeviceReader } from '../src/core/stores/device-store.ts';
import { plainReader } from '../src/core/stores/plain-reader.ts';
import { KeyReader } from '../src/core/stores/key-reader.ts';
import {
  PROTOCOL,
  toServiceWorkerSchema,
  type ToPage,
  type ToServiceWorker,
} from '../src/core/protocol/messages.ts';
import { checkSignedUrl } from '../src/core/stores/signed-url.ts';
import { createApp } from './app.ts';
import { navigationRefused } from './http/error-response.ts';
import { EngineLink } from './worker/engine-link.ts';
import { OpenAnswers } from './worker/open-answers.ts';
import { Shell, type ShellFile } from './worker/shell.ts';
import { isOnDemandFile, onDemandFile } from './worker/on-demand-files.ts';

type PortMessage = Extract<ToServiceWorker, { type: 'slashv1:port' }>;

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST?: ShellFile[] };

const root = new URL(self.registration.scope).pathname;
const open = plainReader(root);
const keys = new KeyReader(open);
const device = new DeviceReader(open);
const link = new EngineLink({ broadcast });
const answers = new OpenAnswers({
  onFirst: () => void broadcast({ type: 'slashv1:keep-awake' }),
  onLast: letUpdateIn,
});
const app = createApp({
  root,
  engine: link,
  authenticate: (authorization) => keys.check(authorization),
  authenticateUrl: (url) => checkSignedUrl(url, (id) => keys.find(id)),
  catalog: new CatalogReader(open),
  device: () => device.read(),
});

// The build puts the app shell's files here; an embedding site may have none.
const files = self.__WB_MANIFEST;
const shell = files && new Shell(files, self.location.href, self.registration.scope);

self.addEventListener('install', (event) => {
  if (shell) event.waitUntil(shell.install());
  // Only the first version takes over at once: an update would cut running streams.
  if (!self.registration.active) void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin === self.location.origin && isOnDemandFile(url.pathname, root)) {
    return event.respondWith(onDemandFile(request, root, (work) => event.waitUntil(work)));
  }
  if (url.origin !== self.location.origin) return;
  if (!isApiPath(url.pathname)) return answerFromShell(event);
  // Another site's form or window.open arrives as a navigation; API clients do not navigate.
  if (request.mode === 'navigate') return event.respondWith(navigationRefused());
  event.respondWith(answers.track(app(request)));
});

self.addEventListener('message', (event) => {
  const parsed = v.safeParse(toServiceWorkerSchema, event.data);
  if (!parsed.success) return;
  const message = parsed.output;
  const [port] = event.ports;
  switch (message.type) {
    case 'slashv1:claim':
      event.waitUntil(self.clients.claim());
      break;
    case 'slashv1:awake':
      if (answers.areOpen) {
        const more: ToPage = { type: 'slashv1:keep-awake' };
        event.source?.postMessage(more);
      }
      break;
    case 'slashv1:connect':
      if (event.source instanceof Client) {
        const { nonce } = message;
        event.waitUntil(broadcast({ type: 'slashv1:port-wanted', for: event.source.id, nonce }));
      }
      break;
    case 'slashv1:update-waits':
      if (!answers.areOpen) letUpdateIn();
      break;
    case 'slashv1:take-over':
      // Tabs that cannot work with this version keep theirs until they are closed.
      if (message.protocol === PROTOCOL) event.waitUntil(self.skipWaiting());
      break;
    case 'slashv1:port':
      if (port) event.waitUntil(handOver(port, message));
      break;
  }
});

function isApiPath(pathname: string): boolean {
  return pathname === `${root}v1` || pathname.startsWith(`${root}v1/`);
}

/** Only when no answer is under way: not every browser lets the old version finish its answers. */
function letUpdateIn(): void {
  const message: ToServiceWorker = { type: 'slashv1:take-over', protocol: PROTOCOL };
  self.registration.waiting?.postMessage(message);
}

function answerFromShell(event: FetchEvent): void {
  if (!shell) return;
  if (event.request.mode === 'navigate') event.waitUntil(tidy(shell));
  const answer = shell.answer(event.request);
  if (answer) event.respondWith(answer);
}

async function tidy(all: Shell): Promise<void> {
  const { installing, waiting } = self.registration;
  // The files that another version has just stored must not be taken for those of an older one.
  const isSettled = !installing && !waiting;
  if (isSettled && (await pages()).length === 0) await all.tidy();
}

async function handOver(
  port: MessagePort,
  { for: client, lock, nonce }: PortMessage,
): Promise<void> {
  if (client === null) return link.accept(port, lock);
  const message: ToPage = { type: 'slashv1:port', lock, nonce };
  (await self.clients.get(client))?.postMessage(message, [port]);
}

async function pages(): Promise<readonly WindowClient[]> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

async function broadcast(message: ToPage): Promise<number> {
  const all = await pages();
  for (const page of all) page.postMessage(message);
  return all.length;
}
