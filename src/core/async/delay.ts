import { orAborted } from './or-aborted.ts';

/** Resolves after this many milliseconds. If the signal aborts first, rejects with its reason. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await orAborted(promise, signal).finally(() => clearTimeout(timer));
}
