import type { Device } from '../core/stores/device-fit.ts';

/** What this browser reports about its GPU and its storage. */
export async function readDevice(): Promise<Device> {
  const [gpu, room] = await Promise.all([gpuFacts(), freeBytes()]);
  return { ...gpu, ...(room !== undefined && { freeBytes: room }) };
}

let facts: Promise<Device> | undefined;

/** Read once: an adapter takes tens of milliseconds, and its limits do not change. */
function gpuFacts(): Promise<Device> {
  facts ??= readGpu().catch(() => ({}));
  return facts;
}

async function readGpu(): Promise<Device> {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) return {};
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  return {
    hasF16: adapter.features.has('shader-f16'),
    bufferBytes: Math.min(maxBufferSize, maxStorageBufferBindingSize),
  };
}

async function freeBytes(): Promise<number | undefined> {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    return quota === undefined || usage === undefined ? undefined : quota - usage;
  } catch {
    return undefined;
  }
}
