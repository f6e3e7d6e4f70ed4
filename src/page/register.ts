import { Workbox } from 'workbox-window';
import { PROTOCOL, type ToServiceWorker } from '../core/protocol/messages.ts';
import { StartError } from './api.ts';
import { reachedProtocol } from './health.ts';

/** How often control is asked for and proved before we give up. */
const ATTEMPTS = 20;
/** Between two attempts, milliseconds. */
const ATTEMPT_MS = 250;

/**
 * Registers the service worker and makes this page one of its clients, without a reload: also on a
 * first visit and after a hard reload, when the browser itself would not.
 *
 * @param base - folder of `sw.js`, and its scope
 */
export async function registerServiceWorker(base: URL): Promise<ServiceWorkerRegistration> {
  const registration = await register(new URL('sw.js', base), base);
  await activation(registration);
  // Messages to this page wait for the end of its loading otherwise.
  navigator.serviceWorker.startMessages();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await claim(registration);
    const protocol = await reachedProtocol(base);
    if (protocol === PROTOCOL) return registration;
    if (protocol !== null) throw otherVersion();
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
  }
  throw new StartError(
    'service_worker_failed',
    `The service worker at ${base.href}sw.js is active but does not answer this page. ` +
      'Is the page below that folder, and is no other service worker in charge of it?',
  );
}

function otherVersion(): StartError {
  return new StartError(
    'service_worker_failed',
    'Tabs of another version of this site are open: close all of them, then open it again.',
  );
}

/** @throws StartError */
export async function register(script: URL, base: URL): Promise<ServiceWorkerRegistration> {
  const workbox = new Workbox(script.href, { scope: base.pathname, updateViaCache: 'none' });
  try {
    const registration = await workbox.register({ immediate: true });
    if (registration) return registration;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(
      'service_worker_failed',
      `The service worker at ${script.href} could not be registered: ${why}`,
      { cause: error },
    );
  }
  throw new StartError('service_worker_failed', `No service worker at ${script.href}.`);
}

/** Resolves when the registration has an active worker; rejects when its first one fails. */
export async function activation(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (!worker || worker.state === 'activated') return;
  await new Promise<void>((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') {
        reject(new StartError('service_worker_failed', 'The service worker failed to install.'));
      }
    };
    worker.addEventListener('statechange', check);
    check();
  });
}

/** Resolves when this page has a controller, or soon after it should have had one. */
async function claim(registration: ServiceWorkerRegistration): Promise<void> {
  const container = navigator.serviceWorker;
  if (container.controller) return;
  const controlled = new Promise((resolve) =>
    container.addEventListener('controllerchange', resolve, { once: true }),
  );
  const message: ToServiceWorker = { type: 'slashv1:claim' };
  registration.active?.postMessage(message);
  await Promise.race([controlled, new Promise((resolve) => setTimeout(resolve, 1000))]);
}
