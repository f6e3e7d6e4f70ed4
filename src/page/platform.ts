import { StartError } from './api.ts';

/** @throws StartError if this page cannot use service workers */
export function checkServiceWorkers(): void {
  if (!globalThis.isSecureContext) {
    throw new StartError(
      'insecure_context',
      'Service workers and WebGPU need a secure page: use https://, or http://localhost for tests.',
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new StartError(
      'service_worker_unavailable',
      'Service workers are not available here. Private windows and file:// pages often have none.',
    );
  }
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
