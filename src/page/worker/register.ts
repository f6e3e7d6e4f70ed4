import { Workbox } from 'workbox-window';
import { whileSlow } from '../../core/async/while-slow.ts';
import { INTERCEPT } from '../../core/realms/interception.ts';
import {
  HEALTH_HEADER,
  HEALTH_PATH,
  PROTOCOL,
  VERSION_HEADER,
  type ToPage,
  type ToServiceWorker,
} from '../../core/realms/messages.ts';
import { ISOLATE, SERVICE_WORKER_API_URL } from '../../core/site/service-worker-files.ts';
import { trustedScript } from '../../core/site/site-script.ts';
import { StartError } from '../api/api.ts';
import { serviceWorkers, WITHOUT } from '../platform.ts';
import { faultOf } from './served.ts';
import { otherVersionServed, textServed, warnOfOtherVersion } from './versions.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** How often the page asks a service worker of slashv1 for control and checks it before it gives up. */
const ATTEMPTS = 20;
/**
 * `ATTEMPTS` in a page that is not below the folder, such as a srcdoc frame: not every browser allows control of it.
 */
const ATTEMPTS_OUTSIDE = 3;
/** Between two attempts, milliseconds. */
const ATTEMPT_MS = 250;
/** How long a claim may take, milliseconds. */
const CLAIM_MS = 1_000;

const NOT_CONTROLLED = 'does not control this page. Reload it, or call allowClaim() of slashv1/sw.';
const OTHER_TABS = 'Tabs of another version of this site are open: close them.';

/**
 * Registers the service worker and makes this page one of its clients, without a reload. That includes a
 * first visit and a hard reload, after which the browser itself would leave the page uncontrolled.
 *
 * @param base - folder of `sw.js`, and its scope
 * @param isolate - whether the service worker makes pages cross-origin isolated
 * @param own - the site's own service worker, in place of `sw.js`
 * @param intercept - gives the parameter of that name; undefined: it stays as it is
 * @throws StartError
 */
export async function registerServiceWorker(
  base: URL,
  isolate: boolean,
  own?: string | ServiceWorkerRegistration,
  intercept?: () => Promise<string | undefined>,
): Promise<ServiceWorkerRegistration> {
  // Without this, messages to the page wait until it has loaded.
  navigator.serviceWorker.startMessages();
  const script = new URL(typeof own === 'string' ? own : 'sw.js', base);
  // What a server lacks does not keep a service worker from working that is installed already.
  const checkFiles = async () => {
    if (!(await registeredAt(base.href))?.active) await checkInstallable(script, !own);
  };
  // A page's registration must not lose what another page intercepts.
  const registered = () =>
    navigator.locks.request(`slashv1:register:${base.href}`, async () => {
      if (typeof own === 'object') return own;
      // A service worker that cannot work is never registered: it would stay, and the site could not open without it.
      const known = await registeredAt(base.href);
      if (!known) await checkServed(script, !own);
      if (!own) {
        const kept = await keepForeign(script, base, known);
        const parameters = [isolate && ISOLATE, await (intercept ?? (() => kept))()];
        script.search = parameters.filter(Boolean).join('&');
      }
      // Browsers wait minutes for a server that says nothing.
      return whileSlow(register(script, base), checkFiles);
    });
  const installed = async () => {
    const found = await registered();
    await whileSlow(activation(found), checkFiles);
    return found;
  };
  const registration = await installed().catch(async (error: unknown) => {
    if (!(error instanceof StartError) || error.code !== 'service_worker_failed') throw error;
    await checkFiles();
    // The files are right: the browser's own request of one may have been lost.
    return installed();
  });
  const attempts = document.URL.startsWith(base.href) ? ATTEMPTS : ATTEMPTS_OUTSIDE;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const isRefused = await claim(registration);
    const worker = await reachedWorker(base);
    if (worker?.protocol === PROTOCOL) {
      if (!own) void warnOfOtherVersion(script, worker.version);
      return registration;
    }
    if (worker) throw failed((own ? undefined : await otherVersionServed(script)) ?? OTHER_TABS);
    if (isRefused) throw failedAt(registration, 'page_not_controlled', NOT_CONTROLLED);
    // A version that is being installed, or waits, may take over by itself.
    const isSettled = !registration.installing && !registration.waiting;
    if (attempt === 0) await checkPolicy(script);
    if (isSettled && (await isForeign(registration, !own))) throw foreign(registration);
    await pause(ATTEMPT_MS);
  }
  const problem = `does not answer. ${whyNotReached(base)} ${WITHOUT}`;
  throw failedAt(registration, 'service_worker_failed', problem);
}

/** @throws StartError if the script cannot be a service worker */
async function checkServed(script: URL, isOwn: boolean): Promise<void> {
  const fault = await faultOf(script, 'service_worker_failed', isOwn);
  if (fault) throw fault;
}

/** @throws StartError if this page's policy lets no request reach a service worker */
async function checkPolicy(script: URL): Promise<void> {
  const fault = await faultOf(script, 'service_worker_failed');
  if (fault?.code === 'blocked_by_policy') throw fault;
}

/** @throws StartError that says why a service worker could not be installed, if a page can see that */
async function checkInstallable(script: URL, isOwn: boolean): Promise<void> {
  const part = new URL(SERVICE_WORKER_API_URL, script);
  const fault =
    (await faultOf(script, 'service_worker_failed', isOwn)) ??
    (isOwn ? await faultOf(part, 'service_worker_failed') : undefined);
  if (!fault) return;
  const { code, message } = fault;
  throw new StartError(code, `${script.href} failed to install: ${message}`, { cause: fault });
}

/**
 * @param registration - that of the base; undefined: the base has none
 * @returns the parameter with which the newest service worker intercepts requests to other services
 * @throws StartError if the scope has a service worker that is not of slashv1: the site needs it
 */
async function keepForeign(
  script: URL,
  base: URL,
  registration: ServiceWorkerRegistration | undefined,
): Promise<string | undefined> {
  if (!registration) return undefined;
  const { installing, waiting, active } = registration;
  if (active && new URL(active.scriptURL).pathname !== script.pathname) {
    if (!(await claim(registration)) && !(await reachedWorker(base))) throw foreign(registration);
  }
  const newest = installing ?? waiting ?? active;
  return RegExp(`${INTERCEPT}=[^&]*`).exec(`${newest?.scriptURL}`)?.[0];
}

/**
 * Whether the script of the active service worker has nothing of slashv1. The controller is not asked: while a new
 * version takes over, it is the old one for a moment longer.
 *
 * @param isOwn - false for a service worker of the site, which may import slashv1 from another script
 */
async function isForeign({ active }: ServiceWorkerRegistration, isOwn: boolean): Promise<boolean> {
  const script = await textServed(`${active?.scriptURL}`);
  if (script === undefined) return false;
  return !/slashv1(?::|[-/_]sw)/.test(script) && (isOwn || !/\bimport/.test(script));
}

/** One for each script: a `Workbox` listens to messages for as long as the page lives. */
const workboxes = new Map<string, Workbox>();

/** @throws StartError when the browser refuses the script */
export async function register(script: URL, base: URL): Promise<ServiceWorkerRegistration> {
  const id = `${script.href} ${base.pathname}`;
  const options = { scope: base.pathname, updateViaCache: 'none' };
  const workbox = workboxes.get(id) ?? new Workbox(trustedScript(script.href), options);
  workboxes.set(id, workbox);
  try {
    const registration = await workbox.register({ immediate: true });
    if (registration) return registration;
  } catch (error) {
    const message = `${script.href} could not be registered: ${messageOf(error)} Is base right? ${WITHOUT}`;
    throw failed(message, error);
  }
  throw failed(`There is no service worker at ${script.href}.`);
}

/** The service worker that other pages have registered for this folder. */
export async function registeredAt(base: string): Promise<ServiceWorkerRegistration | undefined> {
  const found = await registrationOf(base);
  return found?.scope === base ? found : undefined;
}

/** The registration of the folder, or of a folder above it. */
export async function registrationOf(
  folder: string,
): Promise<ServiceWorkerRegistration | undefined> {
  // In WebKit, a srcdoc frame may not ask.
  return serviceWorkers()
    ?.getRegistration(folder)
    .catch(() => undefined);
}

/** A service worker, described by its health answer. */
export interface ReachedWorker {
  protocol: string;
  /** Null before 0.2. */
  version: string | null;
}

/** The service worker that answers this page's requests below the base; null: none does. */
export async function reachedWorker(base: URL | string): Promise<ReachedWorker | null> {
  try {
    const { headers } = await fetch(new URL(HEALTH_PATH, base), { cache: 'no-store' });
    const protocol = headers.get(HEALTH_HEADER);
    return protocol === null ? null : { protocol, version: headers.get(VERSION_HEADER) };
  } catch {
    return null;
  }
}

/** Resolves when the registration has an active worker; rejects when its first one fails. */
export async function activation(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (!worker || worker.state === 'activated') return;
  await new Promise<void>((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(failed(notInstalled(worker)));
    };
    worker.addEventListener('statechange', check);
    check();
  });
}

function notInstalled({ scriptURL }: ServiceWorker): string {
  return (
    `${scriptURL} failed to install: sw-api.js beside it is damaged, which \`npx slashv1 init\` mends, or its content ` +
    'security policy forbids scripts or requests. `npx slashv1 doctor` says more.'
  );
}

/**
 * Asks a service worker to take control of every page and worker in its scope.
 *
 * @param loaded - URLs of files that this page will need without a network, too
 */
export function askToClaim(worker: ServiceWorker | null | undefined, loaded?: string[]): void {
  const message: ToServiceWorker = { type: 'slashv1:claim', loaded };
  worker?.postMessage(message);
}

/**
 * Resolves when a service worker controls this page, or when that has taken too long.
 *
 * @returns whether the service worker refuses to claim it
 */
async function claim({ active }: ServiceWorkerRegistration): Promise<boolean | undefined> {
  const container = navigator.serviceWorker;
  if (container.controller) return false;
  const done = new AbortController();
  const isRefused = new Promise<boolean>((resolve) => {
    const check = ({ data }: Event & { data?: ToPage | null }) => {
      const { controller } = container;
      if (controller || data?.type === 'slashv1:claim-refused') resolve(!controller);
    };
    for (const type of ['controllerchange', 'message']) {
      container.addEventListener(type, check, { signal: done.signal });
    }
  });
  const resources: (PerformanceEntry & { initiatorType?: string })[] =
    performance.getEntriesByType('resource');
  // Requests of scripts are not part of the page, and the site may not expect them a second time.
  const loaded = resources.flatMap(({ name, initiatorType = '' }) =>
    /^(fetch|xml|beacon)/.test(initiatorType) ? [] : name,
  );
  askToClaim(active, loaded);
  return Promise.race([isRefused, pause(CLAIM_MS)]).finally(() => done.abort());
}

/** What keeps a page out of the scope. Many servers send a folder's page at its address without the slash, too. */
function whyNotReached({ href }: URL): string {
  const [address = ''] = document.URL.split(/[?#]/);
  if (`${address}/` !== href) return `Is the page below ${href}?`;
  return (
    `The address lacks the slash at its end: ${address} is not below ${href}. Let the server redirect it ` +
    'there, in Next with trailingSlash: true.'
  );
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function failedAt(
  registration: ServiceWorkerRegistration,
  code: StartError['code'],
  problem: string,
): StartError {
  const worker = navigator.serviceWorker.controller ?? registration.active;
  return new StartError(code, `The service worker ${worker?.scriptURL} ${problem}`);
}

function foreign(registration: ServiceWorkerRegistration): StartError {
  const problem = 'is not of slashv1. Call handle() of slashv1/sw in it, or choose another base.';
  return failedAt(registration, 'foreign_service_worker', problem);
}

function failed(message: string, cause?: unknown): StartError {
  return new StartError('service_worker_failed', message, { cause });
}
