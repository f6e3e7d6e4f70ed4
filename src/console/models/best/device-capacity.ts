import { effect } from '@preact/signals';
import type { Session } from '../../app/session.ts';
import type { CatalogModel } from '../../../index.ts';
import { processorOf } from '../model-text.ts';
import { freeBytes } from '../storage/storage.ts';
import type { Capacity } from './best-models.ts';

/** How long the measurement may take, milliseconds. */
const MEASURED_MS = 3000;

/** Ids of measured models → tokens a second, until the tab ends. */
const speeds = new Map<string, number>();

/**
 * What this device can run, by the model that answers: once it is loaded, its speed is measured, unless that is known.
 *
 * @returns undefined if its speed cannot be measured
 */
export async function deviceCapacity(
  { v1, shelf }: Session,
  signal: AbortSignal,
): Promise<Capacity | undefined> {
  const model = await loadedModel(shelf, signal);
  const { bytes, measured } = model;
  if (bytes === undefined) return undefined;
  const speed = measured?.writtenTokensPerSecond ?? speeds.get(model.id);
  const tokens = speed ?? (await measure(v1, model.id, signal));
  if (tokens === undefined) return undefined;
  return {
    bytesPerSecond: bytes * tokens,
    isOfGpu: processorOf(model) === 'GPU' && v1.device.gpu === 'hardware',
    runsGgufOnGpu: v1.device.llamacpp === 'webgpu',
    hasGpu: v1.device.gpu === 'hardware',
    memoryBudget: v1.device.memoryBudget,
    freeBytes: await freeBytes(),
  };
}

async function measure(v1: Session['v1'], model: string, signal: AbortSignal) {
  const options = { signal, withinMs: MEASURED_MS };
  const { writtenTokensPerSecond } = await v1.models.measure(model, options);
  if (writtenTokensPerSecond !== undefined) speeds.set(model, writtenTokensPerSecond);
  return writtenTokensPerSecond;
}

/** The model that answers, once it is in memory. */
function loadedModel(shelf: Session['shelf'], signal: AbortSignal): Promise<CatalogModel> {
  return new Promise((resolve, reject) => {
    const end = effect(() => {
      const model = shelf.find(shelf.selected.value);
      if (model?.state === 'loaded') resolve(model);
    });
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
  });
}
