import { isServable, type CatalogEntry } from '../core/catalog-entry.ts';
import type { CatalogStore } from '../core/catalog.ts';
import type { Engine, Job } from '../core/engine.ts';
import type { CatalogModel, Models } from './api.ts';

/** The models of the page API: what is known comes from the catalog, what happens from the engine. */
export function createModels(engine: Engine, catalog: CatalogStore): Models {
  return {
    list: async () => (await catalog.list()).map(catalogModel),
    install: (id, options) => finish(engine, { op: 'install', model: id }, options?.signal),
    load: (id, options) => finish(engine, { op: 'load', model: id }, options?.signal),
    unload: (id) => finish(engine, { op: 'unload', model: id }),
    remove: (id) => finish(engine, { op: 'remove', model: id }),
  };
}

/** Runs a job that reports nothing of interest to its end. */
export async function finish(engine: Engine, job: Job, signal?: AbortSignal): Promise<void> {
  const events = engine.run(job, signal ?? new AbortController().signal);
  for await (const _event of events);
}

function catalogModel(entry: CatalogEntry): CatalogModel {
  const embedded = entry.source.kind === 'pack';
  return {
    id: entry.id,
    state: entry.installed ? 'installed' : isServable(entry) && embedded ? 'embedded' : 'available',
    contextLength: entry.contextLength,
    quantization: entry.quantization,
    ...(entry.bytes !== undefined && { bytes: entry.bytes }),
    ...(entry.gpuBytes !== undefined && { gpuBytes: entry.gpuBytes }),
    ...(entry.license !== undefined && { license: entry.license }),
  };
}
