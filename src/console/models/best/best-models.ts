import type { CatalogModel } from '../../../index.ts';
import { CURATED, repositoryOf, type CuratedModel } from './curated.ts';

/** What is known of this device. */
export interface Capacity {
  /** Tokens that a model writes in a second, times the bytes of its weights. */
  bytesPerSecond: number;
  /** Whether that model ran on a graphics processor. */
  isOfGpu: boolean;
  /** Whether GGUF models run on the graphics processor. */
  runsGgufOnGpu: boolean;
  /** Whether it has a graphics processor, which the CPU does not only imitate. */
  hasGpu: boolean;
  /** For all models together. */
  memoryBudget: number;
  /** What the browser lets this site store; undefined: it does not say. */
  freeBytes: number | undefined;
}

/** A curated model that runs here. */
export interface Recommendation {
  model: CuratedModel;
  /** Tokens that it is expected to write in a second. */
  speed: number;
}

/** Weights are not all that a model needs: its conversation and its buffers take about so much more. */
const MEMORY_PER_BYTE = 1.25;

/** Tokens a second from which reading an answer is no waiting. A model that thinks writes more than is read. */
const READABLE = { reason: 20, write: 8, quick: 8 };

/** Tokens a second of a model that is still worth waiting for. */
const BEARABLE = { reason: 10, write: 3, quick: 3 };

/** Tokens a second of a model that answers at once. */
const FAST = 25;

/** All curated models that run on this device, the best first. */
export function runnable(catalog: readonly CatalogModel[], capacity: Capacity): Recommendation[] {
  return CURATED.flatMap((model) => {
    const known = catalog.find(({ id }) => repositoryOf(id) === model.id);
    return fits(model, known, capacity)
      ? [{ model, speed: capacity.bytesPerSecond / (known?.bytes ?? model.bytes) }]
      : [];
  });
}

function fits(
  model: CuratedModel,
  known: CatalogModel | undefined,
  { isOfGpu, runsGgufOnGpu, hasGpu, memoryBudget, freeBytes }: Capacity,
): boolean {
  // The catalog has each model for WebLLM, and knows whether it runs here.
  if (model.engine === 'webllm' && !(hasGpu && known)) return false;
  // The speed of a graphics processor says nothing of the CPU's.
  const isForCpu =
    model.engine === 'llamacpp' && !(known ? known.device === 'webgpu' : runsGgufOnGpu);
  if (isOfGpu && isForCpu) return false;
  if (known?.obstacles.some((obstacle) => obstacle !== 'storage')) return false;
  if (model.bytes * MEMORY_PER_BYTE > memoryBudget) return false;
  const isStored = known?.state === 'installed' || known?.state === 'loaded';
  return isStored || freeBytes === undefined || model.bytes <= freeBytes;
}

/** The best model that answers as fast as one reads; undefined: none does. */
export function bestOf(models: readonly Recommendation[]): Recommendation | undefined {
  return models.find(({ model, speed }) => speed >= READABLE[model.use]);
}

/** At most three: the best answers, the best one to read along with, the fastest; each model once. */
export function threeOf(models: readonly Recommendation[]): Recommendation[] {
  const wanted = [
    models.find(({ model, speed }) => speed >= BEARABLE[model.use]),
    bestOf(models),
    models.find(({ speed }) => speed >= FAST),
  ];
  return [...new Set(wanted)].filter((each) => each !== undefined);
}
