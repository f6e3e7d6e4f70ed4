/**
 * Keeps the screen on until the work ends, while the page is in sight: phones stop the network of pages behind a dark
 * screen. A browser that cannot, or a battery that is low, changes nothing else.
 */
export async function withScreenOn<T>(work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  void keepOn(done.signal);
  document.addEventListener('visibilitychange', () => void keepOn(done.signal), done);
  try {
    return await work();
  } finally {
    done.abort();
  }
}

/** The browser lets go of it when the page is hidden. */
async function keepOn(done: AbortSignal): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  // TypeScript's types say that it always exists; insecure pages and older browsers lack it.
  const { wakeLock } = navigator as Partial<Navigator>;
  const lock = await wakeLock?.request('screen').catch(() => undefined);
  const letGo = () => void lock?.release();
  if (done.aborted) letGo();
  else done.addEventListener('abort', letGo, { once: true });
}
