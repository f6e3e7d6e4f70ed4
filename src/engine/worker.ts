import { CatalogStore } from '../core/catalog.ts';
import { databaseOpener } from '../core/database.ts';
import type { FromHost } from '../core/engine.ts';
import { toErrorData } from '../core/errors.ts';
import type { EngineConfig, FromEngineWorker, ToEngineWorker } from '../core/messages.ts';
import { holdWebLock } from '../core/web-lock.ts';
import { WeightStore } from '../core/weight-store.ts';
import { CacheShim } from './cache-shim.ts';
import { embeddedPacks } from './embedded-packs.ts';
import { serveEngine } from './host.ts';
import { LocalEngine } from './local-engine.ts';
import { ModelLibrary } from './model-library.ts';
import { ProgressBoard } from './progress-board.ts';
import { prebuiltModels, WebLlm } from './webllm.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Held as long as this worker lives: its release tells everyone that the engine is gone. */
const lock = `slashv1:engine:${crypto.randomUUID()}`;
const configured = Promise.withResolvers<LocalEngine>();

self.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') configured.resolve(setUp(data.config));
  else if (ports[0]) void attach(ports[0]);
});

async function setUp(config: EngineConfig): Promise<LocalEngine> {
  const held = holdWebLock(lock);
  const open = databaseOpener(new URL(config.base).pathname);
  const catalog = new CatalogStore(open);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  const shim = new CacheShim();
  shim.install(self);
  // All of a start that is not WebLLM's: none of it waits for another.
  await Promise.all([held, fillWithPacks(catalog, config.base), fillFromHub(catalog)]);
  const library = new ModelLibrary({ catalog, weights, progress, hub: config });
  return new LocalEngine({ webllm: new WebLlm(), shim, library, weights, progress, onBroken });
}

async function attach(port: MessagePort): Promise<void> {
  try {
    serveEngine(port, await configured.promise, lock);
  } catch (error) {
    const message: FromHost = { type: 'refused', error: toErrorData(error) };
    port.postMessage(message);
  }
}

async function fillWithPacks(catalog: CatalogStore, base: string): Promise<void> {
  const packs = await embeddedPacks(base);
  if (packs) await catalog.replace('pack', packs);
}

function fillFromHub(catalog: CatalogStore): Promise<void> {
  return catalog.replace('hub', prebuiltModels());
}

function onBroken(): void {
  const message: FromEngineWorker = { type: 'slashv1:broken' };
  self.postMessage(message);
}
