import type { CatalogModel } from '../../index.ts';
import { formatBytes, formatBytesOf } from '../ui/format.ts';

/** The id without its owner: `SmolLM2-135M-Instruct` of `HuggingFaceTB/SmolLM2-135M-Instruct`. */
export function shortName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** `HuggingFaceTB`, or empty if the id has no owner. */
export function ownerOf(id: string): string {
  const slash = id.lastIndexOf('/');
  return slash === -1 ? '' : id.slice(0, slash);
}

/** `HuggingFaceTB · 88.1 MB · q4f16_1 · 8,192 tokens`, without the parts that are not known. */
export function describeModel(model: CatalogModel): string {
  const { id, quantization, contextLength, task } = model;
  const parts = [
    ownerOf(id),
    describeSize(model),
    quantization,
    contextLength === undefined || task !== 'chat'
      ? ''
      : `${contextLength.toLocaleString('en')} tokens`,
    fitOf(model),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function fitOf({ obstacles }: CatalogModel): string {
  if (obstacles.length === 0) return '';
  // It may load with a shorter context.
  const hasCrashed = obstacles.every((obstacle) => obstacle === 'crashed');
  return hasCrashed ? 'ended the tab when it was loaded' : 'does not fit this device';
}

/** WebLLM's list has no download sizes. GPU memory, which is of the same order, is shown instead. */
function describeSize({ bytes, gpuBytes, downloadedBytes }: CatalogModel): string {
  if (bytes !== undefined && downloadedBytes !== undefined) {
    return formatBytesOf(downloadedBytes, bytes);
  }
  if (bytes !== undefined) return formatBytes(bytes);
  return gpuBytes === undefined ? '' : `${formatBytes(gpuBytes)} of GPU memory`;
}

/** Missing storage is described by the other lines of a download. */
const OBSTACLES: Record<CatalogModel['obstacles'][number], string> = {
  engine: 'This page does not allow the engine that the model is for.',
  webgpu: 'It needs WebGPU, and this browser has no graphics processor that it may use.',
  'shader-f16': 'This GPU cannot compute in 16 bits (shader-f16), which the model needs.',
  'buffer-size': 'This GPU cannot bind buffers as large as the model’s.',
  'webgpu-failed': 'This GPU has failed with the model before.',
  memory: 'It is larger than the memory that this page allows for models.',
  crashed: 'Loading it has ended the tab before.',
  storage: '',
};

/** What it takes when loaded, beside what all may take; undefined: unknown. */
export function describeMemory(
  { memoryBytes, gpuBytes = 0 }: CatalogModel,
  budget: number,
): string | undefined {
  if (memoryBytes === undefined || memoryBytes === 0) return undefined;
  const [taken, whole] = [formatBytes(memoryBytes), formatBytes(budget)];
  return gpuBytes > 0
    ? `about ${taken} of GPU memory; all models may take ${whole}`
    : `about ${taken}; all models may take ${whole}`;
}

/** Why a download does not run. */
export function describeStop(stopped: NonNullable<CatalogModel['stopped']>): string {
  switch (stopped.why) {
    case 'paused':
      return 'The download was paused. What has arrived is kept in this browser until you resume or delete it.';
    case 'interrupted':
      return 'The download ended with its tab. What has arrived is kept in this browser until you resume or delete it.';
    case 'failed':
      return stopped.message;
  }
}

/** What the user should know before a download begins; one sentence or two per line. */
export function describeDownload(model: CatalogModel, freeBytes: number | undefined): string[] {
  const lines = [
    model.bytes === undefined
      ? 'It is downloaded from the model hub and kept in this browser. Its size is not known before the download begins.'
      : `${formatBytes(model.bytes)} are downloaded from the model hub and kept in this browser.`,
  ];
  lines.push(...describeObstacles(model.obstacles));
  if (freeBytes !== undefined)
    lines.push(describeRoom(model.bytes ?? model.gpuBytes ?? 0, freeBytes));
  return lines;
}

/** What a removal deletes. */
export function describeRemoval({ state, bytes, downloadedBytes = 0 }: CatalogModel): string {
  const arrived = formatBytes(downloadedBytes);
  if (state === 'downloading') {
    return `Its download ends in all tabs, and what has arrived is deleted: ${arrived}.`;
  }
  if (state === 'paused') return `What has arrived is deleted: ${arrived}.`;
  return bytes === undefined
    ? 'Its weights are deleted from this browser.'
    : `Its weights are deleted from this browser. That frees ${formatBytes(bytes)}.`;
}

/** Why a model does not run on this device, or not well; a sentence each. */
export function describeObstacles(obstacles: CatalogModel['obstacles']): string[] {
  return obstacles.map((obstacle) => OBSTACLES[obstacle]).filter((text) => text !== '');
}

function describeRoom(bytes: number, freeBytes: number): string {
  const free = formatBytes(freeBytes);
  return bytes > freeBytes
    ? `The browser has only ${free} left for this site, so it will probably not fit.`
    : `The browser has ${free} left for this site.`;
}

/** Models whose id holds every word of the query. */
export function searchModels(models: readonly CatalogModel[], query: string): CatalogModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
}
