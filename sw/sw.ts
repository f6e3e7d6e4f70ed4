/**
 * slashv1's own service worker, for sites that have no other: the API, and the page's files for offline use. The API is
 * a script of its own, so that a page which opens does not wait until the browser has evaluated it.
 */
import * as v from 'valibot';
import { PROTOCOL, toServiceWorkerSchema } from '../src/core/realms/messages.ts';
import { interceptionOf } from '../src/core/realms/interception.ts';
import { ISOLATE, SERVICE_WORKER_API_URL } from '../src/core/site/service-worker-files.ts';
import { trustedScript } from '../src/core/site/site-script.ts';
import { allowClaim, answerTo, answerWith, intercept, siteAnswers } from './api.ts';
import type { MakeAnswers } from './site-answers.ts';
import { isIsolated, isolated } from './worker/isolation.ts';
import { openPages } from './worker/pages.ts';
import { Shell, type ShellFile } from './worker/shell.ts';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST?: ShellFile[];
  /** The exports of `sw-api.js`. */
  slashv1?: { siteAnswers: MakeAnswers };
};

// A build puts the app shell's files here, or an empty list if nothing is to be kept. Without a build there is no list.
const files = self.__WB_MANIFEST;
const shell =
  files?.length === 0
    ? undefined
    : new Shell(files ?? [], self.location.href, self.registration.scope);

// A page asks for isolation and interception with parameters of the URL that it registers.
const { href } = self.location;
const isolates = new URL(href).searchParams.has(ISOLATE);
const interception = interceptionOf(href);

answerWith((worker) => importedApi().siteAnswers(worker));
allowClaim();
if (interception) intercept(interception);

self.addEventListener('install', (event) => {
  event.waitUntil(install());
  // Only the first version takes over at once: an update would cut running streams.
  if (!self.registration.active) void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const answer = answerTo(event) ?? answerFromShell(event);
  if (isolates && isIsolated(request)) event.respondWith(isolated(answer ?? fetch(request)));
  else if (answer) event.respondWith(answer);
});

self.addEventListener('message', (event) => {
  const { success, output } = v.safeParse(toServiceWorkerSchema, event.data);
  if (!success) return;
  if (output.type === 'slashv1:claim' && event.source instanceof WindowClient) {
    const { loaded } = output;
    // A page whose engine has started asks without a list: the engine may have been loaded past this service worker.
    const keep = loaded
      ? shell?.keepLoaded([event.source.url, ...loaded])
      : shell?.keepMissing(new URL('engine.js', self.registration.scope).href);
    if (keep) event.waitUntil(keep);
  }
  if (output.type !== 'slashv1:take-over') return;
  // Tabs that cannot work with this version keep theirs until they are closed.
  if (output.protocol === PROTOCOL) event.waitUntil(self.skipWaiting());
});

async function install(): Promise<void> {
  // After its installation, a service worker can import only scripts that it has imported before.
  siteAnswers();
  // Every page would fail in a service worker whose content security policy forbids requests: it is not installed.
  await fetch(self.registration.scope, { method: 'HEAD', redirect: 'manual' });
  await shell?.install();
}

function importedApi(): { siteAnswers: MakeAnswers } {
  importScripts(trustedScript(SERVICE_WORKER_API_URL));
  if (!self.slashv1) throw new Error(`${SERVICE_WORKER_API_URL} is not of slashv1.`);
  return self.slashv1;
}

function answerFromShell(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  if (!shell || new URL(request.url).origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') event.waitUntil(tidy(shell));
  return shell.answer(request, (work) => event.waitUntil(work));
}

async function tidy(all: Shell): Promise<void> {
  const { installing, waiting } = self.registration;
  // The files that another version has just stored must not be taken for those of an older one.
  const isSettled = !installing && !waiting;
  if (isSettled && (await openPages()).length === 0) await all.tidy();
}
