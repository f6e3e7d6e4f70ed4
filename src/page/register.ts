import { PROTOCOL, type ToServiceWorker } from '../core/protocol/messages.ts';
import { StartError } from './api.ts';
import { reachedWorker } from './health.ts';
import { otherVersionServed, warnOfOtherVersion } from './versions.ts';

/** How often the page asks for control and checks it before it gives up. */
const ATTEMPTS = 20;
/** Between two attempts, milliseconds. */
const ATTEMPT_MS = 250;
/** How long a claim may take, milliseconds. */
const CLAIM_MS = 1_000;

const OTHER_TABS =
  'Tabs of another version of this site are open: close all of them, then open it again.';

/**
 * Registers the service worker and makes this page one of its clients, without a reload. That includes a
 * first visit and a hard reload, after which the browser itself would leave the page uncontrolled.
 *
 * @param base - folder of `sw.js`, and its scope
 * @throws StartError
 */
export async function registerServiceWorker(base: URL): Promise<ServiceWorkerRegistration> {
  const script = new URL('sw.js', base);
  const registration = await register(script, base);
  await activation(registration);
  // Without this, messages to the page wait until it has loaded.
  navigator.serviceWorker.startMessages();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await claim(registration);
    const worker = await reachedWorker(base);
    if (worker?.protocol === PROTOCOL) {
      void warnOfOtherVersion(script, worker.version);
      return registration;
    }
    if (worker) throw failed((await otherVersionServed(script)) ?? OTHER_TABS);
    await pause(ATTEMPT_MS);
  }
  throw failed(
    `The service worker at ${base.href}sw.js is active but does not answer this page. ` +
      'Is the page below that folder, and does no other service worker control it?',
  );
}

/** @throws StartError when the browser refuses the script */
export async function register(script: URL, base: URL): Promise<ServiceWorkerRegistration> {
  const options = { scope: base.pathname, updateViaCache: 'none' } as const;
  try {
    return await navigator.serviceWorker.register(script, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failed(`The service worker at ${script.href} could not be registered: ${why}`, error);
  }
}

/** Resolves when the registration has an active worker; rejects when its first one fails. */
export async function activation(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (!worker || worker.state === 'activated') return;
  await new Promise<void>((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(failed('The service worker failed to install.'));
    };
    worker.addEventListener('statechange', check);
    check();
  });
}

/** Asks a service worker to take control of every page and worker in its scope. */
export function askToClaim(worker: ServiceWorker | null): void {
  const message: ToServiceWorker = { type: 'slashv1:claim' };
  worker?.postMessage(message);
}

/** Resolves when a service worker controls this page, or when that has taken too long. */
async function claim(registration: ServiceWorkerRegistration): Promise<void> {
  const container = navigator.serviceWorker;
  if (container.controller) return;
  const controlled = new Promise((resolve) =>
    container.addEventListener('controllerchange', resolve, { once: true }),
  );
  askToClaim(registration.active);
  await Promise.race([controlled, pause(CLAIM_MS)]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function failed(message: string, cause?: unknown): StartError {
  return new StartError('service_worker_failed', message, { cause });
}
