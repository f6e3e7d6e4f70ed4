import type { CatalogModel } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatBytes, formatBytesOf } from '../ui/format.ts';

export type Processor = 'CPU' | 'GPU';

/** The id without its owner: `SmolLM2-135M-Instruct` of `HuggingFaceTB/SmolLM2-135M-Instruct`. */
export function shortName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** `HuggingFaceTB`, or empty if the id has no owner. */
export function ownerOf(id: string): string {
  const slash = id.lastIndexOf('/');
  return slash === -1 ? '' : id.slice(0, slash);
}

/** `HuggingFaceTB · 88.1 MB · q4f16_1 · 8,192 tokens · GPU`, without the parts that are not known. */
export function describeModel(model: CatalogModel): string {
  const { id, quantization, contextLength, task } = model;
  const parts = [
    ownerOf(id),
    describeSize(model),
    quantization,
    contextLength === undefined || task !== 'chat'
      ? ''
      : fill(messages.value.models.tokens, { count: contextLength }),
    fitOf(model) || (processorOf(model) ?? ''),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What computes a model on this device; undefined: the browser, which does not tell. */
export function processorOf({
  variant,
  device,
  gpuBytes = 0,
}: CatalogModel): Processor | undefined {
  switch (variant.engine) {
    case 'builtin':
      return undefined;
    case 'webllm':
      return 'GPU';
    case 'llamacpp':
      return device === 'webgpu' ? 'GPU' : 'CPU';
    case 'onnx':
      return gpuBytes > 0 ? 'GPU' : 'CPU';
  }
}

function fitOf({ obstacles }: CatalogModel): string {
  if (obstacles.length === 0) return '';
  // A model that has ended the tab may load with a shorter context.
  const hasCrashed = obstacles.every((obstacle) => obstacle === 'crashed');
  const text = messages.value.models;
  return hasCrashed ? text.hasCrashed : text.tooLarge;
}

/** WebLLM's list has no download sizes. GPU memory, which is of the same order, is shown instead. */
function describeSize({ bytes, gpuBytes, downloadedBytes }: CatalogModel): string {
  if (bytes !== undefined && downloadedBytes !== undefined) {
    return formatBytesOf(downloadedBytes, bytes);
  }
  if (bytes !== undefined) return formatBytes(bytes);
  return gpuBytes === undefined
    ? ''
    : fill(messages.value.models.gpuMemory, { bytes: formatBytes(gpuBytes) });
}

/** Memory that the model takes when loaded, of the budget for all models; undefined: unknown. */
export function describeMemory(
  { memoryBytes, gpuBytes = 0 }: CatalogModel,
  budget: number,
): string | undefined {
  if (memoryBytes === undefined || memoryBytes === 0) return undefined;
  const [taken, whole] = [formatBytes(memoryBytes), formatBytes(budget)];
  const { gpuMemoryOf, memoryOf } = messages.value.models.facts;
  return gpuBytes > 0
    ? fill(gpuMemoryOf, { taken, all: whole })
    : fill(memoryOf, { taken, all: whole });
}

/** Why a download does not run. */
export function describeStop(stopped: NonNullable<CatalogModel['stopped']>): string {
  switch (stopped.why) {
    case 'paused':
    case 'interrupted':
      return messages.value.models.stopped[stopped.why];
    case 'failed':
      return stopped.message;
  }
}

/** What the user should know before a download begins; one sentence or two per line. */
export function describeDownload(model: CatalogModel, freeBytes: number | undefined): string[] {
  const { size, unknownSize } = messages.value.models.confirmation;
  const lines = [
    model.bytes === undefined ? unknownSize : fill(size, { bytes: formatBytes(model.bytes) }),
  ];
  lines.push(...describeObstacles(model.obstacles));
  if (freeBytes !== undefined)
    lines.push(describeRoom(model.bytes ?? model.gpuBytes ?? 0, freeBytes));
  return lines;
}

/** What a removal deletes. */
export function describeRemoval({ state, bytes, downloadedBytes = 0 }: CatalogModel): string {
  const text = messages.value.models.confirmation;
  const arrived = formatBytes(downloadedBytes);
  if (state === 'downloading') return fill(text.downloadEnds, { arrived });
  if (state === 'paused') return fill(text.arrivedDeleted, { arrived });
  return bytes === undefined
    ? text.deleted
    : fill(text.deletedBytes, { bytes: formatBytes(bytes) });
}

/** Why a model does not run on this device, or not well; a sentence each. */
export function describeObstacles(obstacles: CatalogModel['obstacles']): string[] {
  const text = messages.value.models.obstacles;
  // Missing storage is described by the other lines of a download.
  return obstacles.filter((obstacle) => obstacle !== 'storage').map((obstacle) => text[obstacle]);
}

function describeRoom(bytes: number, freeBytes: number): string {
  const free = formatBytes(freeBytes);
  const { room, noRoom } = messages.value.models.confirmation;
  return bytes > freeBytes ? fill(noRoom, { free }) : fill(room, { free });
}

/** Models whose id holds every word of the query. */
export function searchModels(models: readonly CatalogModel[], query: string): CatalogModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
}
