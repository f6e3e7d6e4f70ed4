import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Progress } from '../../../index.ts';

/** A download without new bytes for so long has stalled, milliseconds. */
const STALLED_MS = 10_000;

/** Whether a download gets no bytes: the browser says that it is offline, or none have come for a while. */
export function useStalled({ stage, loadedBytes }: Progress): ReadonlySignal<boolean> {
  const isStalled = useSignal(false);
  useEffect(() => {
    isStalled.value = stage === 'download' && !navigator.onLine;
    if (stage !== 'download') return undefined;
    const stall = () => (isStalled.value = true);
    const timer = setTimeout(stall, STALLED_MS);
    addEventListener('offline', stall);
    return () => {
      clearTimeout(timer);
      removeEventListener('offline', stall);
    };
  }, [stage, loadedBytes]);
  return isStalled;
}
