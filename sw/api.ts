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
type NoPortMessage = Extract<ToServiceWorker, { type: 'slashv1:no-port' }>;

declare const self: ServiceWorkerGlobalScope;

/** In how many turns of the event loop no event must have arrived before a new version takes over. */
const QUIET_TURNS = 6;
/** How long each of them takes, milliseconds. */
const TURN_MS = 20;

/** Elsewhere than in a service worker, such as in Node, this module may be imported, and does nothing. */
const isServiceWorker = 'registration' in globalThis;
const scope = isServiceWorker ? self.registration.scope : 'about:blank';
const root = new URL(scope).pathname;
let makeAnswers: MakeAnswers;
let made: SiteAnswers | undefined;
let interception: Interception | undefined;
let mayClaim = false;
/** How many events have arrived. */
let events = 0;
let isLettingIn = false;

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
    onLast: () => void letUpdateIn(),
  });
  return made;
}

/** The answer to a request for the API, for a service or for a file of an engine; undefined for all others. */
export function answerTo(event: FetchEvent): Response | Promise<Response> | undefined {
  events++;
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOwn = origin === self.location.origin;
  if (isOwn && isOnDemandFile(pathname, root)) {
    return onDemandFile(request, root, (work) => event.waitUntil(work));
  }
  // Only the answers know which addresses belong to a service.
  const isForApi = isOwn && isApiPath(pathname, root);
  if (!isForApi && !interception) return undefined;
  try {
    return siteAnswers().answer(event);
  } catch (error) {
    return isForApi || isForService(request.url) ? cannotAnswer(error) : undefined;
  }
}

/** Whether a request may be meant for a service that is intercepted, as far as is known without the answers. */
function isForService(url: string): boolean {
  const { hostname } = new URL(url);
  const bases = interception?.bases ?? [];
  return bases.some((base) => {
    const isOwn = new URL(base).origin === self.location.origin;
    return isOwn ? url.startsWith(base) : hostname.replace(/\.$/, '') === new URL(base).hostname;
  });
}

/** The API does not run. What was meant for this device is sent nowhere else. */
function cannotAnswer(error: unknown): Response {
  const message = `The API could not be started: ${String(error)}`;
  const data = { message, type: 'server_error', param: null, code: 'engine_error' };
  return Response.json({ error: data }, { status: 500 });
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
  events++;
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
      if (!made?.areOpen) void letUpdateIn();
      break;
    case 'slashv1:take-over':
      // A site decides itself when its own service worker takes over.
      break;
    case 'slashv1:port':
      if (port) event.waitUntil(handOver(port, message));
      break;
    case 'slashv1:no-port':
      event.waitUntil(refuse(message));
      break;
  }
}

function portWanted(client: string | null, nonce?: string): ToPage {
  return { type: 'slashv1:port-wanted', for: client, nonce, base: scope };
}

/**
 * Lets a waiting version take over once nothing has reached this one for a moment, unless an answer is under way then:
 * not every browser lets the old version finish its answers. Chromium 156 replaces a service worker at once if it has
 * nothing to do. Otherwise it waits until the service worker has had nothing to do for half a minute.
 */
async function letUpdateIn(): Promise<void> {
  if (isLettingIn || !self.registration.waiting) return;
  isLettingIn = true;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    const seen = events;
    // On a busy device, events wait for a turn although they have arrived.
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    if (events !== seen) quiet = -1;
  }
  isLettingIn = false;
  const message: ToServiceWorker = { type: 'slashv1:take-over', protocol: PROTOCOL };
  if (!made?.areOpen) self.registration.waiting?.postMessage(message);
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

async function refuse({ for: client, nonce, message }: NoPortMessage): Promise<void> {
  if (client === null) return siteAnswers().refuse(message);
  const answer: ToPage = { type: 'slashv1:no-port', nonce, message };
  (await self.clients.get(client))?.postMessage(answer);
}
