import { CatalogReader } from '../core/stores/catalog.ts';
import { databaseOpener, type StoredKey } from '../core/stores/database.ts';
import { createKey } from '../core/stores/key-format.ts';
import { KeyStore } from '../core/stores/keys.ts';
import type { Progress } from '../core/protocol/events.ts';
import { WeightReader } from '../core/stores/weight-reader.ts';
import { PROTOCOL, type EngineConfig } from '../core/protocol/messages.ts';
import { StartError, type KeyInfo, type Keys, type Slashv1, type StartOptions } from './api.ts';
import { EngineConnection } from './engine-connection.ts';
import { keepAwake } from './keep-awake.ts';
import { Leader } from './leader.ts';
import { createModels } from './models.ts';
import { watchProgress } from './progress.ts';
import { registerServiceWorker } from './register.ts';
import { checkServiceWorkers, checkWebGpu } from './platform.ts';
import { speechUrl } from './speech-url.ts';
import { openSessionKey } from './session-key.ts';
import { letUpdatesIn, regainControl } from './updates.ts';

const DEFAULT_HUB = 'https://huggingface.co/';
/** WebLLM's `modelLibURLPrefix`, which is too large a module to import here. */
const DEFAULT_LIBRARIES =
  'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/';

/**
 * Puts the API into this page: from when it resolves, any fetch of the page to the base URL is
 * answered by models on this device. May be called in any number of tabs; they share one engine.
 *
 * @throws StartError when the page or the browser lacks what it takes
 */
export async function start(options: StartOptions = {}): Promise<Slashv1> {
  const config = engineConfig(options);
  const base = new URL(config.base);
  checkServiceWorkers();
  const webGpu = checkWebGpu();
  // Where nothing of ours is yet, nothing is installed that this browser could not use.
  if (!navigator.serviceWorker.controller) await webGpu;
  options.signal?.throwIfAborted();
  // Deleted under us, it is empty when it is opened again: our key has to be in it.
  const open = databaseOpener(base.pathname, () => void session.renew().catch(() => undefined));
  const keys = new KeyStore(open);
  const { autoInstall = false } = options;
  const session = openSessionKey(keys, options.apiKey, autoInstall ? { autoInstall } : {});
  const registering = registerServiceWorker(base);
  const stopping = new AbortController();
  const engine = new EngineConnection(registering, stopping.signal);
  // The engine's worker takes longest to begin: it waits for nothing.
  const leader = new Leader(registering, engine, config);
  leader.stand();
  const stop = async () => {
    stopping.abort();
    leader.resign();
    await session.end();
  };
  try {
    const [registration] = await Promise.all([registering, webGpu, session.stored]);
    const models = createModels(engine, new CatalogReader(open), new WeightReader(open));
    keepAwake(registration, stopping.signal);
    letUpdatesIn(registration, base, stopping.signal);
    regainControl(registration, base, stopping.signal);
    const onProgress = (listener: (progress: Progress) => void) =>
      watchProgress(engine, listener, stopping.signal);
    await engine.connect(options.signal ?? stopping.signal);
    if (options.onProgress) onProgress(options.onProgress);
    if (options.model !== undefined) await loadFirst(models, options.model, options.signal);
    return {
      baseURL: new URL('v1', base).href,
      apiKey: session.key,
      models,
      keys: keysApi(keys),
      speechUrl: (request) => speechUrl(base, session.key, request),
      onProgress,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function engineConfig(options: StartOptions): EngineConfig {
  const { speechDevice, speechThreads } = options;
  if (speechDevice !== undefined && speechDevice !== 'wasm' && speechDevice !== 'webgpu') {
    throw new StartError('invalid_option', "speechDevice must be 'wasm' or 'webgpu'.");
  }
  if (speechThreads !== undefined && !(Number.isInteger(speechThreads) && speechThreads > 0)) {
    throw new StartError('invalid_option', 'speechThreads must be a whole number from 1.');
  }
  const speech = { speechDevice, speechThreads };
  return { protocol: PROTOCOL, ...places(options), ...memoryOptions(options), ...speech };
}

function places(options: StartOptions): Pick<EngineConfig, 'base' | 'hub' | 'libraries'> {
  try {
    const base = new URL(options.base ?? '.', document.baseURI);
    const hub = new URL(options.hub ?? DEFAULT_HUB, document.baseURI);
    const libraries = new URL(options.libraries ?? DEFAULT_LIBRARIES, document.baseURI);
    return {
      base: new URL('.', base).href,
      hub: new URL('.', hub).href,
      libraries: new URL('.', libraries).href,
    };
  } catch (error) {
    throw new StartError('invalid_option', 'base, hub and libraries must be URLs.', {
      cause: error,
    });
  }
}

function memoryOptions({ memoryBudget, unloadAfterMs, standby }: StartOptions) {
  if (memoryBudget !== undefined && !(memoryBudget > 0)) {
    throw new StartError('invalid_option', 'memoryBudget must be a number of bytes above 0.');
  }
  if (unloadAfterMs !== undefined && !(unloadAfterMs >= 0)) {
    const message = 'unloadAfterMs must be a number of milliseconds from 0, or Infinity.';
    throw new StartError('invalid_option', message);
  }
  return { memoryBudget, unloadAfterMs, standby };
}

async function loadFirst(
  models: Slashv1['models'],
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = signal ? { signal } : {};
  try {
    await models.install(id, options);
    await models.load(id, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError('model_failed', `The model '${id}' could not be loaded: ${why}`, {
      cause: error,
    });
  }
}

function keysApi(keys: KeyStore): Keys {
  return {
    async create({ label = '', models, autoInstall } = {}) {
      const key = createKey();
      await keys.add(key, {
        label,
        ...(models && { models }),
        ...(autoInstall && { autoInstall }),
      });
      return key;
    },
    revoke: (keyOrId) => keys.revoke(keyOrId),
    list: async () => (await keys.list()).map(keyInfo),
  };
}

function keyInfo({ id, label, createdAt, models, autoInstall }: StoredKey): KeyInfo {
  const rights = { ...(models && { models }), ...(autoInstall && { autoInstall }) };
  return { id, label, createdAt, ...rights };
}
