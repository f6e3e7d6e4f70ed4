/** What a worker's global scope says about threads. */
export interface ThreadScope {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number; userAgent: string };
}

/**
 * Whether a worker can compute with several threads. Without cross-origin isolation they cannot share memory. The
 * worker starts them, and in Firefox 153 `new Worker` blocks the worker that calls it for ever, in one of about a
 * hundred calls: threads are not worth that.
 */
export function canUseThreads({ crossOriginIsolated, navigator }: ThreadScope): boolean {
  return crossOriginIsolated && !navigator.userAgent.includes('Firefox/');
}
