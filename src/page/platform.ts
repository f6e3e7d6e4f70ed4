import { StartError } from './api.ts';

/** @throws StartError when this page cannot have a service worker */
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
      'This browser has no service workers here. Private windows and file:// pages often have none.',
    );
  }
}

/** @throws StartError when this browser has no WebGPU */
export async function checkWebGpu(): Promise<void> {
  if (!(await hasWebGpu())) {
    throw new StartError(
      'webgpu_unavailable',
      'This browser has no WebGPU, or no usable GPU. Chrome and Edge 113, Safari 26 and Firefox 141 have it.',
    );
  }
}

async function hasWebGpu(): Promise<boolean> {
  // The types promise it; older browsers have none.
  const { gpu } = navigator as Partial<Navigator>;
  try {
    return ((await gpu?.requestAdapter()) ?? null) !== null;
  } catch {
    return false;
  }
}
