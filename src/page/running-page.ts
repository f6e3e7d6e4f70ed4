import { databaseOpener } from '../core/stores/database.ts';
import type { DeviceReport } from '../core/protocol/device-report.ts';
import type { Engine } from '../core/protocol/engine.ts';
import { createKey } from '../core/stores/key-format.ts';
import { KeyStore } from '../core/stores/keys.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import type { Slashv1 } from './api.ts';
import { EngineConnection } from './engine-connection.ts';
import { keepAwake } from './keep-awake.ts';
import { createKeys } from './keys.ts';
import { Leader } from './leader.ts';
import { createModels } from './models.ts';
import type { PageSettings } from './options.ts';
import { checkServiceWorkers, checkSimd, checkWebGpu } from './platform.ts';
import { registerServiceWorker } from './register.ts';
import { openSessionKey } from './session-key.ts';
import { speechUrl } from './speech-url.ts';
import { announceUpdates, regainControl } from './updates.ts';

/** The API of a page, as all calls of `start` with the same settings share it. */
export interface RunningPage extends Omit<Slashv1, 'onProgress'> {
  readonly engine: Engine;
}

/**
 * Puts the API into this page.
 *
 * @param stopping - aborted to end the start, and by `stop`
 * @throws StartError if the page or the browser lacks something; the signal's reason if it aborts
 */
export async function runPage(
  { config, apiKey = createKey(), autoInstall }: PageSettings,
  stopping: AbortController,
): Promise<RunningPage> {
  const { signal } = stopping;
  const base = new URL(config.base);
  checkServiceWorkers();
  checkSimd();
  const webGpu = config.engines?.every((engine) => engine === 'webllm') ? checkWebGpu() : undefined;
  // On a first visit, nothing is installed in a browser that cannot run it.
  if (!navigator.serviceWorker.controller) await webGpu;
  signal.throwIfAborted();
  // A deleted database is empty when it is opened again: the key must return.
  const open = databaseOpener(base.pathname, () => void session.renew().catch(() => undefined));
  const keys = new KeyStore(open);
  const session = openSessionKey(keys, apiKey, { ...(autoInstall && { autoInstall }) });
  const registering = registerServiceWorker(base);
  const engine = new EngineConnection(registering, signal);
  // The engine worker takes the longest to start: it waits for nothing.
  new Leader({ registration: registering, present: engine, config }, signal).stand();
  const stop = async () => {
    stopping.abort();
    await session.end();
    (await open()).close();
  };
  try {
    const ready = Promise.all([registering, webGpu, session.stored]);
    const [registration] = await orAborted(ready, signal);
    keepAwake(registration, signal);
    announceUpdates(registration, base, signal);
    regainControl(registration, base, signal);
    await engine.connect(signal);
    return {
      engine,
      device: await foundDevice(engine, signal),
      baseURL: new URL('v1', base).href,
      apiKey,
      models: createModels(engine),
      keys: createKeys(keys),
      speechUrl: (request) => speechUrl(base, apiKey, request),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function foundDevice(engine: Engine, signal: AbortSignal): Promise<DeviceReport> {
  for await (const { device } of engine.run({ op: 'device' }, signal)) return device;
  throw new Error('The engine says nothing about the device.');
}
