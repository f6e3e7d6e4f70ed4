import {
  INTERCEPT,
  INTERCEPTS_HEADER,
  interceptionOf,
  readInterception,
  type Interception,
} from '../../core/realms/interception.ts';
import { HEALTH_PATH } from '../../core/realms/messages.ts';
import { holdWebLock } from '../../core/port/web-lock.ts';
import type { StartError } from '../api/api.ts';
import type { PageSettings } from '../options.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** What a page does with the option `intercept` of `start`. */
export interface Intercepting {
  interception: Interception;
  /**
   * The URL parameter that makes `sw.js` answer for these services, and for those of the other open pages: two tabs may
   * run different builds of the site. Undefined if there are no services. Until this page stops, no other page can
   * remove its services.
   */
  parameter: () => Promise<string | undefined>;
  /**
   * Resolves when the service worker that controls this page answers for these services. A newer version may have to
   * wait until no answer is under way.
   *
   * @throws StartError if it never will
   */
  until(registration: ServiceWorkerRegistration): Promise<void>;
}

/**
 * @param folder - the folder of `sw.js`, absolute
 * @param signal - aborts when the page stops
 * @param Failure - the class of the page library
 * @throws StartError `invalid_option`
 */
export function intercepting(
  [services, options]: NonNullable<PageSettings['intercept']>,
  folder: URL,
  signal: AbortSignal,
  Failure: typeof StartError,
): Intercepting {
  const interception = orThrow(
    () => readInterception(services, options, folder),
    (cause) => new Failure('invalid_option', messageOf(cause), { cause }),
  );
  const { bases } = interception;
  return {
    interception,
    parameter: async () => {
      const prefix = `slashv1:${INTERCEPT}:${folder.href}:`;
      await Promise.all(bases.map((base) => hold(prefix + base, signal)));
      return parameterOf({ ...interception, bases: await heldAfter(prefix) });
    },
    until: async (registration) => {
      const problem = await orProblem(registration, bases, folder);
      if (problem !== undefined) throw new Failure('service_worker_failed', problem);
    },
  };
}

function orThrow<T>(work: () => T, failure: (cause: unknown) => Error): T {
  try {
    return work();
  } catch (cause) {
    throw failure(cause);
  }
}

function parameterOf(interception: Interception): string | undefined {
  if (interception.bases.length === 0) return undefined;
  return `${INTERCEPT}=${encodeURIComponent(JSON.stringify(interception))}`;
}

/** Holds a lock, which any number of pages may hold, until the signal aborts. Resolves when this page holds it. */
async function hold(name: string, signal: AbortSignal): Promise<void> {
  const release = await holdWebLock(name, 'shared');
  signal.addEventListener('abort', () => void release(), { once: true });
  if (!signal.aborted) return;
  await release();
  signal.throwIfAborted();
}

/** The names of all held locks that begin with this prefix, without the prefix. */
async function heldAfter(prefix: string): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  const names = held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name] : []));
  return [...new Set(names)].map((name) => name.slice(prefix.length)).toSorted();
}

/**
 * Resolves when the service worker answers for these bases; with a message if it never will. A service worker that is
 * about to be replaced is not asked: a request that reaches it while Chromium 156 stops it delays the new one by half a
 * minute.
 */
async function orProblem(
  registration: ServiceWorkerRegistration,
  bases: readonly string[],
  folder: URL,
): Promise<string | undefined> {
  const hasAll = (list: readonly string[] = []) => bases.every((base) => list.includes(base));
  const promises = (worker: ServiceWorker | null) =>
    worker !== null && hasAll(interceptionOf(worker.scriptURL)?.bases);
  for (;;) {
    const changed = nextChange(registration);
    const { installing, waiting, active } = registration;
    if (promises(navigator.serviceWorker.controller ?? active)) {
      const { headers } = await fetch(new URL(HEALTH_PATH, folder), { cache: 'no-store' });
      if (hasAll(headers.get(INTERCEPTS_HEADER)?.split(' '))) return undefined;
      return `${active?.scriptURL} intercepts nothing: it is older than the page library. Run \`npx slashv1 init\`, or build the site again.`;
    }
    if (![installing, waiting, active].some(promises)) {
      return `The service worker that intercepts ${bases.join(', ')} could not be installed.`;
    }
    await changed;
  }
}

/** Resolves when a version of the service worker changes its state, or another one controls this page. */
function nextChange(registration: ServiceWorkerRegistration): Promise<void> {
  const { installing, waiting, active } = registration;
  const done = new AbortController();
  const { signal } = done;
  return new Promise<void>((resolve) => {
    const onChange = () => resolve();
    for (const worker of [installing, waiting, active]) {
      worker?.addEventListener('statechange', onChange, { signal });
    }
    navigator.serviceWorker.addEventListener('controllerchange', onChange, { signal });
    registration.addEventListener('updatefound', onChange, { signal });
  }).finally(() => done.abort());
}
