import { isEmbedded, type CatalogEntry } from '../core/stores/catalog-entry.ts';
import type { CatalogReader } from '../core/stores/catalog.ts';
import { chooseVariant } from '../core/stores/choose-variant.ts';
import { obstacles, type Device } from '../core/stores/device-fit.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { ProgressStage } from '../core/protocol/events.ts';
import type { JobOf } from '../core/protocol/jobs.ts';
import { storedBytes } from '../core/stores/installation-progress.ts';
import { totalBytes, type DownloadPlan, type Variant } from '../core/stores/variant.ts';
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
      const variant = chooseVariant(entry, device);
      const known = { variant, device, stage: stages.get(id), lastUsedAt: uses.get(id) };
      const begun = await downloaded(id, variant, plans.get(id), weights);
      return catalogModel(entry, { ...known, ...begun });
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

/** The size of a variant's unfinished download, and how much of it is in the store. */
async function downloaded(
  id: string,
  variant: Variant,
  plan: DownloadPlan | undefined,
  weights: WeightReader,
): Promise<Pick<Facts, 'bytes' | 'downloadedBytes'>> {
  if (plan?.variant !== variant.id) return {};
  return {
    bytes: totalBytes(plan.files),
    downloadedBytes: await storedBytes(id, plan, weights),
  };
}

/** What the catalog entry itself does not contain. */
interface Facts {
  /** The one that this device uses. */
  variant: Variant;
  device: Device;
  stage: ProgressStage | undefined;
  lastUsedAt: number | undefined;
  bytes?: number;
  downloadedBytes?: number;
}

function catalogModel(entry: CatalogEntry, facts: Facts): CatalogModel {
  const { variant, downloadedBytes, lastUsedAt, bytes = variant.bytes, device } = facts;
  const { engine, quantization, installed } = variant;
  const missing = bytes === undefined ? undefined : bytes - (downloadedBytes ?? 0);
  const gpuBytes = gpuBytesOf(variant);
  return {
    ...{ id: entry.id, task: entry.task, variant: { engine, quantization } },
    state: stateOf(entry, facts),
    embedded: isEmbedded(entry),
    obstacles: obstacles(variant, installed ? 0 : missing, device),
    contextLength: entry.contextLength,
    quantization,
    ...(bytes !== undefined && { bytes }),
    ...(downloadedBytes !== undefined && { downloadedBytes }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(gpuBytes !== undefined && { gpuBytes }),
    ...(entry.license !== undefined && { license: entry.license }),
    ...(entry.task === 'speech' && { speech: entry.speech }),
  };
}

/** ONNX graphs are mostly in main memory. */
function gpuBytesOf({ engine, needs }: Variant): number | undefined {
  return engine === 'onnx' ? 0 : needs.memoryBytes;
}

function stateOf(
  entry: CatalogEntry,
  { variant, stage, downloadedBytes }: Facts,
): CatalogModel['state'] {
  if (stage === 'download') return 'downloading';
  if (stage === 'ready') return 'loaded';
  if (variant.installed) return 'installed';
  if (downloadedBytes !== undefined) return 'paused';
  return isEmbedded(entry) ? 'embedded' : 'available';
}
