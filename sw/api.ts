/**
 * The API, for our own service worker and for those of sites. To import it is to answer the messages of pages that have
 * called `start()`. A service worker must add such listeners while it starts, so the import cannot be a later one.
 */
import * as v from 'valibot';
import {
  PROTOCOL,
  toServiceWorkerSchema,
  type ToPage,
  type ToServiceWorker,
} from '../src/core/protocol/messages.ts';
import { INTERCEPTS_HEADER, type Interception } from '../src/core/protocol/interception.ts';
import { createApp } from './app.ts';
import { navigationRefused } from './http/error-response.ts';
import { createInterceptor, type Interceptor } from './interceptor.ts';
import { siteApi } from './site-api.ts';
import { EngineLink } from './worker/engine-link.ts';
import { OpenAnswers } from './worker/open-answers.ts';
import { isOnDemandFile, onDemandFile } from './worker/on-demand-files.ts';
import { broadcast } from './worker/pages.ts';

type PortMessage = Extract<ToServiceWorker, { type: 'slashv1:port' }>;

declare const self: ServiceWorkerGlobalScope;

const root = new URL(self.registration.scope).pathname;
const link = new EngineLink({ askForPort: () => broadcast(portWanted(null)) });
const answers = new OpenAnswers({
  onFirst: () => void broadcast({ type: 'slashv1:keep-awake' }),
  onLast: letUpdateIn,
});
const site = siteApi(root, link);
let interceptor: Interceptor | undefined;
let intercepted = '';
const app = createApp({ ...site, healthHeaders: () => ({ [INTERCEPTS_HEADER]: intercepted }) });
let mayClaim = false;

/** The answer to a request for the API, for a service or for a file of an engine; undefined for all others. */
export function answerTo(event: FetchEvent): Response | Promise<Response> | undefined {
  const { request } = event;
  const url = new URL(request.url);
  const intercepting = interceptor?.(url);
  if (intercepting) return answers.track(intercepting(request));
  const { origin, pathname } = url;
  if (origin !== self.location.origin) return undefined;
  if (isOnDemandFile(pathname, root)) {
    return onDemandFile(request, root, (work) => event.waitUntil(work));
  }
  if (!isApiPath(pathname)) return undefined;
  // Another site's form or window.open arrives as a navigation; API clients do not navigate.
  return request.mode === 'navigate' ? navigationRefused() : answers.track(app(request));
}

/** Answers the requests to these services from now on. To be called while the service worker starts. */
export function intercept(interception: Interception): void {
  interceptor = createInterceptor(interception, new URL(self.registration.scope), site);
  intercepted = interception.bases.join(' ');
}

/**
 * Lets `start()` take control of all pages in scope. Without it, `start()` fails in pages that this service worker
 * does not control: after a first visit until the service worker claims them, and after a hard reload.
 */
export function allowClaim(): void {
  mayClaim = true;
}

self.addEventListener('message', (event) => {
  const parsed = v.safeParse(toServiceWorkerSchema, event.data);
  if (!parsed.success) return;
  const message = parsed.output;
  const [port] = event.ports;
  switch (message.type) {
    case 'slashv1:claim':
      if (mayClaim) event.waitUntil(self.clients.claim());
      else reply(event, { type: 'slashv1:claim-refused' });
      break;
    case 'slashv1:awake':
      if (answers.areOpen) reply(event, { type: 'slashv1:keep-awake' });
      break;
    case 'slashv1:connect':
      if (event.source instanceof Client) {
        const { nonce } = message;
        event.waitUntil(broadcast(portWanted(event.source.id, nonce)));
      }
      break;
    case 'slashv1:update-waits':
      if (!answers.areOpen) letUpdateIn();
      break;
    case 'slashv1:take-over':
      // A site decides itself when its own service worker takes over.
      break;
    case 'slashv1:port':
      if (port) event.waitUntil(handOver(port, message));
      break;
  }
});

function portWanted(client: string | null, nonce?: string): ToPage {
  return { type: 'slashv1:port-wanted', for: client, nonce, base: self.registration.scope };
}

function isApiPath(pathname: string): boolean {
  return pathname === `${root}v1` || pathname.startsWith(`${root}v1/`);
}

/** Only when no answer is under way: not every browser lets the old version finish its answers. */
function letUpdateIn(): void {
  const message: ToServiceWorker = { type: 'slashv1:take-over', protocol: PROTOCOL };
  self.registration.waiting?.postMessage(message);
}

function reply({ source }: ExtendableMessageEvent, message: ToPage): void {
  source?.postMessage(message);
}

async function handOver(
  port: MessagePort,
  { for: client, lock, nonce }: PortMessage,
): Promise<void> {
  if (client === null) return link.accept(port, lock);
  const message: ToPage = { type: 'slashv1:port', lock, nonce };
  (await self.clients.get(client))?.postMessage(message, [port]);
}
