import { BUILT_IN_MODEL } from '../core/protocol/built-in.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { JobOf } from '../core/protocol/jobs.ts';
import type { CatalogModel } from '../core/stores/catalog-model.ts';
import type { Models } from './models-api.ts';
import type { PageApi } from './page-api.ts';
import { loadBuiltIn } from './model-workers.ts';

/** The models of the page API: everything is a job for the engine, which alone knows the device. */
export function createModels(
  engine: Engine,
  base: string,
  api: () => Promise<Pick<PageApi, 'moreModels'>>,
): Models {
  const more = async () => (await api()).moreModels(engine);
  return {
    list: () => list(engine),
    add: (source, { signal, makeRoom = false } = {}) => {
      const job = typeof source === 'string' ? { source } : ofFiles([source].flat());
      return add(engine, { op: 'add', makeRoom, ...job }, signal);
    },
    inspect: async (id, options) => (await more()).inspect(id, options),
    search: async (options) => (await more()).search(options),
    measure: async (id, options) => (await more()).measure(id, options),
    install: async (id, { signal, makeRoom = false } = {}) => {
      // The browser downloads its own model only for the page with the click.
      if (id === BUILT_IN_MODEL) await (await loadBuiltIn(base)).download(signal);
      await finish(engine, { op: 'install', model: id, makeRoom }, signal);
    },
    pause: (id) => finish(engine, { op: 'pause', model: id }),
    load: (id, { signal, anyway = false } = {}) =>
      finish(engine, { op: 'load', model: id, anyway }, signal),
    unload: (id) => finish(engine, { op: 'unload', model: id }),
    remove: (id) => finish(engine, { op: 'remove', model: id }),
    persist: async () => (await storageManager()?.persist()) ?? false,
  };
}

/** Downloads a model unless it is installed, and loads it: while it arrives, where the engine can. */
export async function loadModel(engine: Engine, id: string, signal?: AbortSignal): Promise<void> {
  await finish(engine, { op: 'install', model: id, load: true }, signal);
  await finish(engine, { op: 'load', model: id }, signal);
}

/** The types say that it is always there; WebKitGTK 2.50 has none. */
function storageManager(): StorageManager | undefined {
  return (navigator as Partial<Navigator>).storage;
}

/** Operations without events. */
type Silent = 'install' | 'pause' | 'load' | 'unload' | 'remove';

/** Runs a job to its end. */
async function finish(
  engine: Engine,
  job: JobOf<Silent>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  for await (const _ of engine.run(job, signal));
}

/** The name is for engines of older builds: they look for it on the hub and say that it is not there. */
function ofFiles(files: readonly File[]): Pick<JobOf<'add'>, 'source' | 'files'> {
  return { source: files[0]?.name ?? '', files };
}

async function list(engine: Engine): Promise<CatalogModel[]> {
  const all: CatalogModel[] = [];
  for await (const { models } of engine.run({ op: 'list' }, new AbortController().signal)) {
    all.push(...models);
  }
  return all;
}

async function add(
  engine: Engine,
  job: JobOf<'add'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  let id = job.source;
  for await (const { model } of engine.run(job, signal)) id = model;
  return id;
}
