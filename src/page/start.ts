import type { Engine } from '../core/port/engine.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { StartError, type Slashv1 } from './api/api.ts';
import { usualBase } from './worker/usual-base.ts';
import { joinPage } from './shared-page.ts';
import { loadModel } from './api/models/models.ts';
import { readOptions } from './options.ts';
import { checkPage } from './platform.ts';
import { watchProgress } from './api/models/progress.ts';
import type { StartOptions } from './start-options.ts';
import { messageOf } from '../core/text/message-of.ts';

/**
 * Puts the API into this page: once it resolves, models on this device answer every fetch of the page to
 * the base URL. All tabs that call it share one engine.
 *
 * A page may call it several times. Calls with the same options share one session, which ends when each of
 * them has been stopped; only `model`, `onProgress` and `signal` are each call's own. Calls with different
 * options run side by side as two tabs do: each has a session key, and the first decides the options of the
 * engine. Only `base` cannot differ: a page has one service worker, so the second call fails.
 *
 * @throws StartError if the page or the browser lacks something; the signal's reason if it aborts
 */
export async function start(options: StartOptions = {}): Promise<Slashv1> {
  const { signal, onProgress, model } = options;
  checkPage();
  const settings = readOptions(options, options.base === undefined ? await usualBase() : '');
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const { running, leave } = joinPage(settings);
  const stop = async () => {
    leaving.abort();
    await leave();
  };
  const open = async (): Promise<Slashv1> => {
    const { engine, api } = await running;
    // A page that is about to be reloaded begins nothing.
    if (settings.isolate) await api;
    const subscribe: Slashv1['onProgress'] = (listener) =>
      watchProgress(engine, listener, leaving.signal);
    // Before the load, whose first reports it would miss.
    if (onProgress) subscribe(onProgress);
    const loading = model === undefined ? undefined : loadFirst(engine, model, signal);
    loading?.catch(() => undefined);
    const page = await api;
    await loading;
    return { ...page, onProgress: subscribe, stop };
  };
  try {
    return await orAborted(open(), signal ?? leaving.signal);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function loadFirst(engine: Engine, model: string, signal?: AbortSignal): Promise<void> {
  try {
    await loadModel(engine, model, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    const message = `The model '${model}' could not be loaded: ${messageOf(error)}`;
    throw new StartError('model_failed', message, { cause: error });
  }
}
