import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import { runnable, type Capacity, type Recommendation } from './best-models.ts';
import { deviceCapacity } from './device-capacity.ts';

/** The curated models that run on this device, the best first; undefined until its speed is known. */
export function useRunnable(session: Session): ReadonlySignal<Recommendation[] | undefined> {
  const capacity = useSignal<Capacity | undefined>(undefined);
  const found = useSignal<Recommendation[] | undefined>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    void deviceCapacity(session, ending.signal)
      .catch(() => undefined)
      .then((known) => {
        capacity.value = known;
        // Without a speed, no model is recommended.
        if (!known) found.value = [];
      });
    return () => ending.abort();
  }, []);
  const catalog = session.shelf.models.value;
  useEffect(() => {
    if (capacity.value) found.value = runnable(catalog, capacity.value);
  }, [catalog, capacity.value]);
  return found;
}
