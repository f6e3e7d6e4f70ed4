import { orAborted } from './or-aborted.ts';

/** Resolves after so many milliseconds; rejects with the signal's reason when that aborts first. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await orAborted(promise, signal).finally(() => clearTimeout(timer));
}
