/** What a worker's global scope says about threads. */
export interface ThreadScope {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number; userAgent: string };
  /** WebKitGTK has none, even if it is isolated: its memory can be shared, but not sent to another worker. */
  SharedArrayBuffer?: unknown;
}

/**
 * Whether a worker can compute with several threads. Without cross-origin isolation they cannot share memory. The
 * worker starts them, and in Firefox 153 `new Worker` blocks the worker that calls it for ever, in one of about a
 * hundred calls: threads are not worth that.
 */
export function canUseThreads(scope: ThreadScope): boolean {
  const { crossOriginIsolated, navigator, SharedArrayBuffer } = scope;
  const canShare = crossOriginIsolated && SharedArrayBuffer !== undefined;
  return canShare && !navigator.userAgent.includes('Firefox/');
}
