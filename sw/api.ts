/**
 * slashv1's part of a service worker, ours or a site's. Importing this module answers the messages of pages that have
 * called `start()`. A service worker must add such listeners while it starts, so this module cannot be imported later.
 */
import * as v from 'valibot';
import type { Interception } from '../src/core/realms/interception.ts';
import {
  PROTOCOL,
  toServiceWorkerSchema,
  type ToPage,
  type ToServiceWorker,
} from '../src/core/realms/messages.ts';
import { isApiPath } from './api-path.ts';
import type { MakeAnswers, SiteAnswers } from './site-answers.ts';
import { AwakeTimer } from './worker/awake-timer.ts';
import { isOnDemandFile, keepLoadedFiles, onDemandFile } from './worker/on-demand-files.ts';
import { broadcast } from './worker/pages.ts';

type PortMessage = Extract<ToServiceWorker, { type: 'slashv1:port' }>;

declare const self: ServiceWorkerGlobalScope;

/** Elsewhere than in a service worker, such as in Node, this module may be imported, and does nothing. */
const isServiceWorker = 'registration' in globalThis;
const scope = isServiceWorker ? self.registration.scope : 'about:blank';
const root = new URL(scope).pathname;
let makeAnswers: MakeAnswers;
let made: SiteAnswers | undefined;
let interception: Interception | undefined;
let mayClaim = false;

const awake = new AwakeTimer(
  () => made?.areOpen ?? false,
  () => void broadcast({ type: 'slashv1:keep-awake' }),
);

/** Sets the function that makes the answers at the first request. Call it while the service worker starts. */
export function answerWith(make: MakeAnswers): void {
  makeAnswers = make;
}

/** The answers, which are made by the first call. */
export function siteAnswers(): SiteAnswers {
  made ??= makeAnswers({
    scope,
    interception,
    askForPort: () => broadcast(portWanted(null)),
    onFirst: () => awake.begin(),
    onLast: letUpdateIn,
  });
  return made;
}

/** The answer to a request for the API, for a service or for a file of an engine; undefined for all others. */
export function answerTo(event: FetchEvent): Response | Promise<Response> | undefined {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOwn = origin === self.location.origin;
  if (isOwn && isOnDemandFile(pathname, root)) {
    return onDemandFile(request, root, (work) => event.waitUntil(work));
  }
  // Only the answers know which addresses belong to a service.
  const mayBeForApi = interception !== undefined || (isOwn && isApiPath(pathname, root));
  return mayBeForApi ? siteAnswers().answer(request) : undefined;
}

/**
 * Answers the requests to these services, too. Call it while the service worker starts.
 *
 * @throws Error if the answers are already made: they would not know the services
 */
export function intercept(wanted: Interception): void {
  if (made) throw new Error('intercept() must be called while the service worker starts.');
  interception = wanted;
}

/**
 * Lets `start()` take control of all pages in scope. Without it, `start()` fails in pages that this service worker
 * does not control: after a first visit until the service worker claims them, and after a hard reload.
 */
export function allowClaim(): void {
  mayClaim = true;
}

if (isServiceWorker) self.addEventListener('message', onMessage);

function onMessage(event: ExtendableMessageEvent): void {
  const parsed = v.safeParse(toServiceWorkerSchema, event.data);
  if (!parsed.success) return;
  const message = parsed.output;
  const [port] = event.ports;
  switch (message.type) {
    case 'slashv1:claim':
      if (message.loaded) event.waitUntil(keepLoadedFiles(message.loaded, root));
      if (mayClaim) event.waitUntil(self.clients.claim());
      else reply(event, { type: 'slashv1:claim-refused' });
      break;
    case 'slashv1:awake':
      if (made?.areOpen) reply(event, { type: 'slashv1:keep-awake' });
      break;
    case 'slashv1:connect':
      if (event.source instanceof Client) {
        const { nonce } = message;
        event.waitUntil(broadcast(portWanted(event.source.id, nonce)));
      }
      break;
    case 'slashv1:update-waits':
      if (!made?.areOpen) letUpdateIn();
      break;
    case 'slashv1:take-over':
      // A site decides itself when its own service worker takes over.
      break;
    case 'slashv1:port':
      if (port) event.waitUntil(handOver(port, message));
      break;
  }
}

function portWanted(client: string | null, nonce?: string): ToPage {
  return { type: 'slashv1:port-wanted', for: client, nonce, base: scope };
}

/**
 * Lets a waiting version take over. Call it only when no answer is under way: not every browser lets the old version
 * finish its answers.
 */
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
  if (client === null) return siteAnswers().accept(port, lock);
  const message: ToPage = { type: 'slashv1:port', lock, nonce };
  (await self.clients.get(client))?.postMessage(message, [port]);
}
