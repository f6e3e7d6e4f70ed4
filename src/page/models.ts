import { isEmbedded, type CatalogEntry, type Installation } from '../core/stores/catalog-entry.ts';
import type { CatalogReader } from '../core/stores/catalog.ts';
import { obstacles, type Device } from '../core/stores/device-fit.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { ProgressStage } from '../core/protocol/events.ts';
import type { JobOf } from '../core/protocol/jobs.ts';
import { storedBytes, totalBytes } from '../core/stores/installation-progress.ts';
import type { WeightReader } from '../core/stores/weight-reader.ts';
import type { CatalogModel, Models } from './api.ts';
import { readDevice } from './device.ts';

/** The models of the page API. Lists are read from the stores; everything else is a job for the engine. */
export function createModels(
  engine: Engine,
  catalog: CatalogReader,
  weights: WeightReader,
): Models {
  return {
    list: () => listModels(engine, catalog, weights),
    add: (source) => add(engine, source),
    install: (id, { signal, makeRoom = false } = {}) =>
      finish(engine, { op: 'install', model: id, makeRoom }, signal),
    pause: (id) => finish(engine, { op: 'pause', model: id }),
    load: (id, options) => finish(engine, { op: 'load', model: id }, options?.signal),
    unload: (id) => finish(engine, { op: 'unload', model: id }),
    remove: (id) => finish(engine, { op: 'remove', model: id }),
    persist: () => navigator.storage.persist(),
  };
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

async function add(engine: Engine, source: string): Promise<string> {
  let id = source;
  for await (const { model } of engine.run({ op: 'add', source }, new AbortController().signal)) {
    id = model;
  }
  return id;
}

async function listModels(
  engine: Engine,
  catalog: CatalogReader,
  weights: WeightReader,
): Promise<CatalogModel[]> {
  const [entries, plans, uses, stages, device] = await Promise.all([
    catalog.list(),
    catalog.plans(),
    catalog.uses(),
    presentStages(engine),
    readDevice(),
  ]);
  return Promise.all(
    entries.map(async (entry) => {
      const { id } = entry;
      const known = { device, stage: stages.get(id), lastUsedAt: uses.get(id) };
      return catalogModel(entry, { ...known, ...(await downloaded(id, plans.get(id), weights)) });
    }),
  );
}

async function presentStages(engine: Engine): Promise<Map<string, ProgressStage>> {
  const stages = new Map<string, ProgressStage>();
  const { signal } = new AbortController();
  for await (const { progress } of engine.run({ op: 'states' }, signal)) {
    stages.set(progress.model, progress.stage);
  }
  return stages;
}

/** The progress of a download that has begun and is not complete. */
async function downloaded(
  id: string,
  plan: Installation | undefined,
  weights: WeightReader,
): Promise<Pick<Facts, 'bytes' | 'downloadedBytes'>> {
  if (!plan) return {};
  return {
    bytes: totalBytes(plan.files),
    downloadedBytes: await storedBytes(id, plan, weights),
  };
}

/** What the catalog entry itself does not contain. */
interface Facts {
  device: Device;
  stage: ProgressStage | undefined;
  lastUsedAt: number | undefined;
  bytes?: number;
  downloadedBytes?: number;
}

function catalogModel(entry: CatalogEntry, facts: Facts): CatalogModel {
  const { downloadedBytes, lastUsedAt, bytes = entry.bytes, device } = facts;
  const missing = bytes === undefined ? undefined : bytes - (downloadedBytes ?? 0);
  return {
    id: entry.id,
    state: stateOf(entry, facts),
    embedded: isEmbedded(entry),
    obstacles: obstacles(entry, entry.installed ? 0 : missing, device),
    contextLength: entry.contextLength,
    quantization: entry.quantization,
    ...(bytes !== undefined && { bytes }),
    ...(downloadedBytes !== undefined && { downloadedBytes }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(entry.gpuBytes !== undefined && { gpuBytes: entry.gpuBytes }),
    ...(entry.license !== undefined && { license: entry.license }),
    ...(entry.speech && { speech: entry.speech }),
  };
}

function stateOf(entry: CatalogEntry, { stage, downloadedBytes }: Facts): CatalogModel['state'] {
  if (stage === 'download') return 'downloading';
  if (stage === 'ready') return 'loaded';
  if (entry.installed) return 'installed';
  if (downloadedBytes !== undefined) return 'paused';
  return isEmbedded(entry) ? 'embedded' : 'available';
}
