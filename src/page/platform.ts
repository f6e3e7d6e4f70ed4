import { StartError } from './api.ts';

/** @throws StartError if this page cannot use service workers */
export function checkServiceWorkers(): void {
  if (!globalThis.isSecureContext) {
    throw new StartError(
      'insecure_context',
      'Service workers need a secure page: use https://, or http://localhost for tests.',
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new StartError(
      'service_worker_unavailable',
      'Service workers are not available here. Private windows and file:// pages often have none.',
    );
  }
}

/** A function with a vector instruction: `i8x16.splat`. */
const WITH_SIMD = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
];

/** @throws StartError if this browser's WebAssembly computes no vectors, which all models on the CPU do */
export function checkSimd(): void {
  if (WebAssembly.validate(new Uint8Array(WITH_SIMD))) return;
  throw new StartError(
    'simd_unavailable',
    'This browser has no WebAssembly SIMD. Chrome and Edge 91, Safari 16.4 and Firefox 89 have it.',
  );
}

/** @throws StartError if this browser has no WebGPU */
export async function checkWebGpu(): Promise<void> {
  if (!(await hasWebGpu())) {
    throw new StartError(
      'webgpu_unavailable',
      'This browser has no WebGPU, or no usable GPU. Chrome and Edge 113, Safari 26 and Firefox 141 have it.',
    );
  }
}

async function hasWebGpu(): Promise<boolean> {
  // The types say that it is always there; older browsers lack it.
  const { gpu } = navigator as Partial<Navigator>;
  try {
    return ((await gpu?.requestAdapter()) ?? null) !== null;
  } catch {
    return false;
  }
}
