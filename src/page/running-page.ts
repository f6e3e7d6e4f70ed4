import { SingleDelivery } from '../core/operations/delivery.ts';
import { EngineConnection } from '../core/port/engine-connection.ts';
import { onlyEvent, type Engine } from '../core/port/engine.ts';
import type { RequestPort } from '../core/realms/page-api.ts';
import { createKey } from '../core/keys/key-format.ts';
import { SessionKeys } from '../core/keys/session-keys.ts';
import { smallDatabase } from '../core/database/small-database.ts';
import { ApiError } from '../core/errors/errors.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { StartError, type Slashv1 } from './api/api.ts';
import { requestPort } from './leader/engine-port.ts';
import { keepAwake } from './leader/keep-awake.ts';
import { Leader } from './leader/leader.ts';
import { createModels } from './api/models/models.ts';
import type { PageSettings } from './options.ts';
import { loadPageApi, onDemand, type PageApi } from './api/page-api.ts';
import type { PageParts } from './api/page-parts.ts';
import { pageFetch } from './api/page-fetch.ts';
import {
  checkServiceWorkers,
  checkSimd,
  checkTrustedTypes,
  checkWebGpu,
  noStorage,
} from './platform.ts';
import { register, registerServiceWorker } from './worker/register.ts';
import { openSessionKey } from './api/keys/session-key.ts';

/** A running page, which all calls of `start` with the same settings share. */
export interface RunningPage {
  /** Usable at once, before `api` resolves. */
  readonly engine: Engine;
  /**
   * The API, once fetches of the page reach it. Rejects with a StartError if the page or the browser lacks something,
   * or with the reason of `stopping`.
   */
  readonly api: Promise<Omit<Slashv1, 'onProgress' | 'stop'>>;
  /** Ends what the page has begun. */
  stop(): Promise<void>;
}

/**
 * Begins to put the API into this page.
 *
 * @param stopping - aborted to end the start, and by `stop`
 * @throws StartError if the page or the browser lacks something essential
 */
export async function runPage(
  settings: PageSettings,
  stopping: AbortController,
): Promise<RunningPage> {
  const { config, apiKey = createKey(), autoInstall, serviceWorker, isolate } = settings;
  const { intercept, forwards } = settings;
  const { signal } = stopping;
  const base = new URL(config.base);
  if (serviceWorker) checkServiceWorkers();
  checkSimd();
  checkTrustedTypes();
  const webGpu = config.engines?.every((engine) => engine === 'webllm') ? checkWebGpu() : undefined;
  // On a first visit, nothing is installed in a browser that cannot run it.
  if (!serviceWorker || !navigator.serviceWorker.controller) await webGpu;
  const api = () => loadPageApi(config.base);
  const intercepting = intercept && (await api()).intercepting(intercept, base, signal, StartError);
  const forwarding =
    forwards && (await (await api()).forwarding(forwards, base, signal, StartError));
  signal.throwIfAborted();
  // A deleted database is empty when it is opened again: the key must return.
  const open = smallDatabase(base.pathname, () => session.renew());
  const keys = new SessionKeys(open);
  const session = openSessionKey(keys, apiKey, {
    ...(autoInstall && { autoInstall }),
    ...forwarding?.rights,
  });
  const stored = session.stored.catch((error: unknown) => {
    throw noStorage(error);
  });
  const own = typeof serviceWorker === 'boolean' ? undefined : serviceWorker;
  const registering = serviceWorker
    ? registerServiceWorker(base, isolate, own, intercepting?.parameter)
    : undefined;
  const ask: RequestPort = async (asking) =>
    // This tab's own engine can be reached before the service worker is there.
    (await leader.port(registering)) ??
    (registering
      ? requestPort(await registering, asking)
      : (await api()).requestPortOfTabs(config.base, () => leader.port(), asking));
  const engine = new EngineConnection(ask, (job) => new SingleDelivery(job), signal);
  // The engine worker takes the longest to start: it waits for nothing.
  const leader = new Leader({ registration: registering, present: engine, config }, signal);
  leader.stand();
  const start = async () => {
    // If nothing can be stored, that is also why the service worker could not be registered.
    const reached = (registering ?? api()).catch(async (error: unknown) => {
      await stored;
      throw error;
    });
    await orAborted(Promise.all([reached, webGpu, stored]), signal);
    const registration = await registering;
    if (registration) {
      if (isolate) await orAborted((await api()).reloadToIsolate(registration, base), signal);
      keepAwake(registration, signal);
    }
    await engine.connect(signal).catch((cause: unknown) => {
      if (!(cause instanceof ApiError)) throw cause;
      throw new StartError('engine_failed', `The engine could not start: ${cause.message}`, {
        cause,
      });
    });
    const { device } = await onlyEvent(engine, { op: 'device' }, signal);
    if (registration) {
      if (!own) {
        // Without a network, neither can be fetched, and there is no newer version either.
        const onceImported = (use: (parts: PageApi) => void | Promise<void>) => () =>
          void api()
            .then(use)
            .catch(() => undefined);
        // An update waits until the engine has fetched its first files and the site's lists. In Chromium 156, a request
        // that reaches a service worker while it is being replaced delays the replacement by half a minute.
        const announce = onceImported(async (parts) => {
          await onlyEvent(engine, { op: 'device', settled: true }, signal).catch(() => undefined);
          parts.announceUpdates(registration, base, signal);
        });
        const regain = onceImported((parts) =>
          parts.regainControl(registration, base, signal, register),
        );
        if (registration.installing || registration.waiting) announce();
        else registration.addEventListener('updatefound', announce, { signal, once: true });
        navigator.serviceWorker.addEventListener('controllerchange', regain, { signal });
      }
      await orAborted(intercepting?.until(registration), signal);
    }
    const baseURL = `${config.base}v1`;
    const apiPage = { base: config.base, requestPort: ask, stopping: signal, ...forwarding };
    const parts = async () => {
      const loaded = await api();
      return loaded.pageParts(loaded, {
        engine,
        apiPage,
        apiKey,
        hasServiceWorker: Boolean(serviceWorker),
        open,
        keys,
        rights: forwarding?.rights,
      });
    };
    return {
      device,
      baseURL,
      apiKey,
      models: createModels(
        { engine, base: config.base, device },
        async () => (await parts()).models,
      ),
      files: onDemand(async () => (await parts()).files, ['clear']),
      promptCache: onDemand(async () => (await parts()).promptCache, ['size', 'clear']),
      keys: onDemand(async () => (await parts()).keys, ['create', 'revoke', 'list']),
      requests: onDemand(async () => (await parts()).requests, ['watch']),
      fetch: pageFetch(
        baseURL,
        async () => (await api()).apiFetch(apiPage),
        intercepting && (await api()).interceptorOf(apiPage, intercepting.interception),
      ),
      ...onDemand(parts as () => Promise<Pick<PageParts, 'pageTools' | 'share' | 'speechUrl'>>, [
        'pageTools',
        'share',
        'speechUrl',
      ]),
    };
  };
  const stop = async () => {
    stopping.abort();
    await session.end();
    (await open()).close();
  };
  return { engine, api: start(), stop };
}
