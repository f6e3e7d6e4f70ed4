import { ApiError } from '../core/errors/errors.ts';
import { trustedScript } from '../core/site/site-script.ts';
import { TRUSTED_POLICY } from '../core/site/trusted-policy.ts';
import { StartError } from './api/api.ts';

/** End of the messages about errors that `serviceWorker: false` avoids. */
export const WITHOUT = 'start({ serviceWorker: false }) and v1.fetch need none.';

/** @throws StartError if this is not a page, or one without an origin of its own */
export function checkPage(): void {
  if (typeof document === 'undefined') {
    throw new StartError('no_page', 'Call start() in the browser.');
  }
  if (!globalThis.isSecureContext) {
    throw new StartError('insecure_context', 'slashv1 needs https or localhost.');
  }
  if (globalThis.origin === 'null') {
    throw new StartError(
      'storage_unavailable',
      'This page has no origin: use http, and allow-same-origin in a sandbox.',
    );
  }
}

/** @throws StartError if this page requires Trusted Types and allows no policy of slashv1 */
export function checkTrustedTypes(): void {
  try {
    // Nothing is fetched: the element is in no document.
    document.createElement('script').src = trustedScript('about:blank');
  } catch (cause) {
    const policies = `add ${TRUSTED_POLICY} to its trusted-types`;
    throw new StartError(
      'blocked_by_policy',
      `The content security policy of this page forbids the Trusted Types of slashv1: ${policies}.`,
      { cause },
    );
  }
}

/** The error if the keys cannot be stored. */
export function noStorage(cause: unknown): StartError {
  const isBlocked = cause instanceof ApiError && cause.data.code === 'storage_blocked';
  if (isBlocked) return new StartError('storage_blocked', cause.message, { cause });
  return new StartError(
    'storage_unavailable',
    `The browser stores nothing for this page: ${String(cause)} Open it in a tab of its own.`,
    { cause },
  );
}

/** The types say that it is always there; private windows may lack it. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  return (navigator as Partial<Navigator>).serviceWorker;
}

/** @throws StartError if this page cannot use service workers */
export function checkServiceWorkers(): void {
  if (serviceWorkers()) return;
  throw new StartError(
    'service_worker_unavailable',
    'This page has no service worker, as in private windows. ' + WITHOUT,
  );
}

/** A function with a vector instruction: `i8x16.splat`. */
const WITH_SIMD = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
];

/** @throws StartError if this browser's WebAssembly lacks SIMD, which all models on the CPU need */
export function checkSimd(): void {
  if (WebAssembly.validate(new Uint8Array(WITH_SIMD))) return;
  throw new StartError('simd_unavailable', 'This browser has no WebAssembly SIMD.');
}

/** @throws StartError if this browser has no WebGPU */
export async function checkWebGpu(): Promise<void> {
  if (!(await hasWebGpu())) {
    throw new StartError(
      'webgpu_unavailable',
      'This browser has no usable WebGPU: Chrome 113, Safari 26, Firefox 141 have it.',
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

/** What browsers tell about the kind of device; Chromium alone has `userAgentData`. */
interface NavigatorFacts {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { mobile: boolean };
}

/** Whether the device is a phone or a tablet. These end pages that take much memory. */
export function isPhone({
  userAgent,
  maxTouchPoints,
  userAgentData,
}: NavigatorFacts = navigator): boolean {
  if (userAgentData?.mobile || /Android|iPhone|iPad|iPod|Mobile/.test(userAgent)) return true;
  // An iPad calls itself a Mac; no Mac has a touch screen.
  return userAgent.includes('Mac OS X') && maxTouchPoints > 1;
}
