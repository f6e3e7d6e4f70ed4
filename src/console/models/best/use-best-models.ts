import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import { runnable, type Capacity, type Recommendation } from './best-models.ts';
import { deviceCapacity } from './device-capacity.ts';

/** The curated models that run on this device, the best first; empty until that is known. */
export function useRunnable(session: Session): ReadonlySignal<Recommendation[]> {
  const capacity = useSignal<Capacity | undefined>(undefined);
  const found = useSignal<Recommendation[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    void deviceCapacity(session, ending.signal)
      .then((known) => (capacity.value = known))
      // The models are then recommended when the speed is known.
      .catch(() => undefined);
    return () => ending.abort();
  }, []);
  const catalog = session.shelf.models.value;
  useEffect(() => {
    found.value = capacity.value ? runnable(catalog, capacity.value) : [];
  }, [catalog, capacity.value]);
  return found;
}
