import { start, type CatalogModel, type Slashv1, type StartOptions } from '../index.ts';
import type { ServedModel } from './chat-client.ts';
import { exceptionOf, notSupported, numberOf } from './exceptions.ts';
import type { DownloadMonitor } from './download-monitor.ts';
import type { Availability } from './types.ts';
import { messageOf } from '../core/text/message-of.ts';

/** The model of all sessions, and the options of `start` that it runs with. */
export interface PromptApiOptions extends Omit<StartOptions, 'signal'> {
  /**
   * BCP-47 tags of the languages that the model knows: it is `unavailable` for others in `expectedInputs` and
   * `expectedOutputs`. Default: all that the browser has a name for, because the catalog does not tell.
   */
  languages?: string[];
}

/** Reasons for which every request to a model would fail. */
const REFUSALS = new Set(['engine', 'webgpu', 'shader-f16', 'webgpu-failed', 'storage']);

let options: PromptApiOptions = {};
let running: Promise<Slashv1> | undefined;

/**
 * Says which model answers, and with which options of `start`. Call it before the first call of `LanguageModel`;
 * sessions that exist already keep theirs. Without `model`, it is the first chat model that the site serves or that
 * is installed.
 */
export function configure(given: PromptApiOptions): void {
  options = given;
  running = undefined;
}

export function knownLanguages(): readonly string[] | undefined {
  return options.languages;
}

/** Starts the API in this page, without the model. It runs until the page is closed. */
function startOnce(): Promise<Slashv1> {
  if (running) return running;
  const { model: _model, languages: _languages, ...rest } = options;
  const starting = start(rest);
  running = starting;
  starting.catch(() => {
    if (running === starting) running = undefined;
  });
  return starting;
}

/** Whether the model can be used in this page, and what has to be downloaded first. */
export async function modelAvailability(): Promise<Availability> {
  try {
    const { models } = await startOnce();
    const { model } = options;
    const known = choose(await models.list(), model);
    if (known) return isRefused(known) ? 'unavailable' : availabilityOf(known);
    // Other sources that `models.add` takes are looked up when they are added.
    return model === undefined ? 'unavailable' : 'downloadable';
  } catch {
    return 'unavailable';
  }
}

function choose(models: CatalogModel[], wanted: string | undefined): CatalogModel | undefined {
  if (wanted !== undefined) return models.find(({ id }) => id === wanted);
  const present = models.filter(
    (model) => model.task === 'chat' && (model.embedded || isInstalled(model)),
  );
  return present.find((model) => !isRefused(model));
}

function isInstalled({ state }: CatalogModel): boolean {
  return state === 'installed' || state === 'loaded';
}

function isRefused({ task, obstacles }: CatalogModel): boolean {
  return task !== 'chat' || obstacles.some((obstacle) => REFUSALS.has(obstacle));
}

function availabilityOf(model: CatalogModel): Availability {
  if (isInstalled(model)) return 'available';
  return model.state === 'downloading' ? 'downloading' : 'downloadable';
}

/**
 * Downloads the model unless it is installed, and loads it.
 *
 * @throws DOMException `NetworkError` if the download fails, `NotSupportedError` if there is no such model,
 *   `OperationError` if it cannot be loaded; the signal's reason
 */
export async function serveModel(
  monitor: DownloadMonitor,
  signal: AbortSignal,
): Promise<ServedModel> {
  const settings = options;
  const v1 = await startOnce();
  monitor.report(0);
  const id = await addModel(v1, settings.model, signal);
  await loadModel(v1, id, settings, monitor, signal);
  monitor.report(1);
  return { v1, id, contextWindow: await contextWindowOf(v1, id, signal) };
}

async function addModel(
  { models }: Slashv1,
  model: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (model === undefined) {
    const first = choose(await models.list(), undefined);
    if (first) return first.id;
    throw notSupported('This site has no chat model: name one with configure({ model }).');
  }
  try {
    return await models.add(model, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw notSupported(`The model '${model}' cannot be used: ${messageOf(error)}`);
  }
}

/**
 * Loads a model with `start`, which reads it into memory during the download. Everything else that `start` begins is
 * already running in the page.
 */
async function loadModel(
  { models }: Slashv1,
  id: string,
  { languages: _languages, onProgress: _onProgress, ...settings }: PromptApiOptions,
  monitor: DownloadMonitor,
  signal: AbortSignal,
): Promise<void> {
  const onProgress: StartOptions['onProgress'] = ({ model, stage, loadedBytes, totalBytes }) => {
    if (model !== id || stage !== 'download' || totalBytes === 0) return;
    // The last event is for the loaded model.
    if (loadedBytes < totalBytes) monitor.report(loadedBytes / totalBytes);
  };
  try {
    const loaded = await start({ ...settings, model: id, onProgress, signal });
    await loaded.stop();
  } catch (error) {
    signal.throwIfAborted();
    const model = choose(await models.list(), id);
    const name = model && !isInstalled(model) ? 'NetworkError' : 'OperationError';
    throw new DOMException(messageOf(error), name);
  }
}

async function contextWindowOf(v1: Slashv1, id: string, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  const path = `models/${encodeURIComponent(id)}`;
  const response = await v1.fetch(`${v1.baseURL}/${path}`, { headers, signal });
  const body: unknown = await response.json();
  if (!response.ok) throw exceptionOf(response.status, body);
  return numberOf(body, 'context_length');
}
