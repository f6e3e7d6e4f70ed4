import { isEmbedded, sees, type CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { CatalogModel, VariantOffer } from '../../core/catalog/catalog-model.ts';
import type { CatalogStore } from '../../core/catalog/catalog-store.ts';
import { rankVariants } from '../../core/fit/choose-variant.ts';
import { contextThatFits } from '../../core/fit/context-that-fits.ts';
import { obstacles, type Device } from '../../core/fit/device-fit.ts';
import { installationProgress } from '../../core/weights/installation-progress.ts';
import { cpuReasonOf } from '../../core/fit/gguf-device.ts';
import { kvCacheTypeOf } from '../../core/fit/kv-cache.ts';
import { recordOf } from '../../core/fit/load-record.ts';
import {
  totalBytes,
  type DownloadPlan,
  type LlamaCppVariant,
  type Variant,
} from '../../core/catalog/variant.ts';
import { permissionOf } from '../../core/weights/linked-file.ts';
import type { WeightReader } from '../../core/weights/weight-reader.ts';
import type { ProgressStage } from '../../core/operations/events/events.ts';
import { isForGpu } from '../onnx/device.ts';
import { memoryOf } from '../scheduling/memory-budget.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';

interface ModelListSources {
  catalog: Pick<CatalogStore, 'list' | 'plans' | 'uses'>;
  weights: WeightReader;
  progress: Pick<ProgressBoard, 'states'>;
  /** The device and its free storage. */
  device: () => Promise<Device>;
}

/** All models of the catalog, as this device sees them. */
export async function listModels(parts: ModelListSources): Promise<CatalogModel[]> {
  const { catalog, weights, progress } = parts;
  const [entries, plans, uses, device] = await Promise.all([
    catalog.list(),
    catalog.plans(),
    catalog.uses(),
    parts.device(),
  ]);
  const stages = new Map(
    [...progress.states()].map(({ progress: { model, stage } }) => [model, stage]),
  );
  return Promise.all(
    entries.map(async (entry) => {
      const { id } = entry;
      const begun = await unfinished(id, plans.get(id), weights);
      const links = entry.variants.some(isLocal) ? await weights.links(id) : [];
      return catalogModel(entry, {
        device,
        begun,
        permission: links.length > 0 ? await permissionOf(links) : undefined,
        stage: stages.get(id),
        lastUsedAt: uses.get(id),
      });
    }),
  );
}

/** Whether the visitor picked its files, which may lie outside of the store. */
function isLocal({ source }: Variant): boolean {
  return source.kind === 'local';
}

/** A download that has begun and is not done. */
interface Unfinished {
  /** Id of its variant. */
  variant: string;
  bytes: number;
  downloadedBytes: number;
  stopped: NonNullable<CatalogModel['stopped']>;
}

async function unfinished(
  id: string,
  plan: DownloadPlan | undefined,
  weights: WeightReader,
): Promise<Unfinished | undefined> {
  if (!plan) return undefined;
  const { missingBytes } = await installationProgress(id, plan, weights);
  const { variant, stopped = { why: 'interrupted' } } = plan;
  const bytes = totalBytes(plan.files);
  return { variant, bytes, downloadedBytes: bytes - missingBytes, stopped };
}

/** Facts about a model that its catalog entry does not contain. */
interface Facts {
  device: Device;
  begun: Unfinished | undefined;
  stage: ProgressStage | undefined;
  lastUsedAt: number | undefined;
  permission: PermissionState | undefined;
}

function catalogModel(entry: CatalogEntry, facts: Facts): CatalogModel {
  const { device, lastUsedAt, permission } = facts;
  const ranked = rankVariants(entry, device);
  const [variant] = ranked;
  const variants = ranked.map((each) => offer(entry, each, facts));
  const [used] = variants;
  if (!variant || !used) throw new Error(`The catalog has no variant of '${entry.id}'.`);
  const { engine, quantization, obstacles: found, bytes, device: on } = used;
  const { cpuReason, imagesOnCpu } = used;
  const contextLength = contextThatFits(entry, variant, device);
  const kvCacheType = kvCacheTypeOf(entry, variant, device);
  const memoryBytes =
    engine === 'builtin' ? undefined : memoryOf(variant, bytes, contextLength, kvCacheType);
  const gpuBytes = runsOnGpu(entry, variant, device) ? memoryBytes : 0;
  const { measured } = variant;
  const begun = facts.begun?.variant === variant.id ? facts.begun : undefined;
  const state = stateOf(entry, variant, { ...facts, begun });
  return {
    id: entry.id,
    task: entry.task,
    variant: { engine, quantization },
    variants,
    state,
    embedded: isEmbedded(entry),
    obstacles: found,
    contextLength,
    ...(kvCacheType && { kvCacheType }),
    quantization,
    ...(on && { device: on }),
    ...(cpuReason && { cpuReason }),
    ...(imagesOnCpu !== undefined && { imagesOnCpu }),
    ...(bytes !== undefined && { bytes }),
    ...(begun && { downloadedBytes: begun.downloadedBytes }),
    ...(begun && state === 'paused' && { stopped: begun.stopped }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(permission && { permission }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(measured && { measured }),
    ...(gpuBytes !== undefined && { gpuBytes }),
    ...(sees(entry) && { sees: true }),
    ...(entry.license !== undefined && { license: entry.license }),
    ...(entry.task === 'speech' && { speech: entry.speech }),
    ...(entry.task === 'embedding' && { embedding: entry.embedding }),
    ...(entry.task === 'transcription' && { transcription: entry.transcription }),
  };
}

function offer(entry: CatalogEntry, variant: Variant, { device, begun }: Facts): VariantOffer {
  const { id, engine, quantization, installed } = variant;
  const received = begun?.variant === id ? begun : undefined;
  const bytes = received?.bytes ?? variant.bytes;
  const missing = bytes === undefined ? undefined : bytes - (received?.downloadedBytes ?? 0);
  return {
    engine,
    quantization,
    installed: installed !== undefined,
    ...(bytes !== undefined && { bytes }),
    obstacles: obstacles(entry, variant, device, installed ? 0 : missing),
    ...(variant.engine === 'llamacpp' && computedOn(entry, variant, device)),
  };
}

function computedOn(
  entry: CatalogEntry,
  variant: LlamaCppVariant,
  device: Device,
): Pick<VariantOffer, 'device' | 'cpuReason' | 'imagesOnCpu'> {
  const cpuReason = cpuReasonOf(entry, variant, device);
  if (cpuReason) return { device: 'wasm', cpuReason };
  const { imagesOnCpu } = recordOf(device.loads, entry.id, variant) ?? {};
  return { device: 'webgpu', ...(imagesOnCpu !== undefined && { imagesOnCpu }) };
}

/** Whether a variant computes on the GPU. */
function runsOnGpu(entry: CatalogEntry, variant: Variant, device: Device): boolean {
  if (variant.engine === 'onnx') return device.onnxOnGpu === true && isForGpu({ entry, variant });
  if (variant.engine === 'llamacpp') return cpuReasonOf(entry, variant, device) === undefined;
  return variant.engine === 'webllm';
}

function stateOf(
  entry: CatalogEntry,
  variant: Variant,
  { stage, begun }: Pick<Facts, 'stage' | 'begun'>,
): CatalogModel['state'] {
  if (stage === 'download') return 'downloading';
  if (stage === 'ready') return 'loaded';
  if (variant.installed) return 'installed';
  if (begun) return 'paused';
  return isEmbedded(entry) ? 'embedded' : 'available';
}
