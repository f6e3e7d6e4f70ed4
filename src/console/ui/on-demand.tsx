import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

type View<Props> = (props: Props) => VNode | null;

/**
 * A component whose code is fetched when it is first drawn.
 *
 * @param fallback - shown until then, and instead of it if its code cannot be fetched
 */
export function onDemand<Props extends object>(
  load: () => Promise<View<Props>>,
  fallback: (hasFailed: boolean) => VNode | null = () => null,
): View<Props> {
  const loaded = signal<{ View: View<Props> } | 'failed' | null>(null);
  const fetchView = async () => {
    if (loaded.peek() !== null && loaded.peek() !== 'failed') return;
    loaded.value = null;
    try {
      loaded.value = { View: await load() };
    } catch {
      loaded.value = 'failed';
    }
  };
  return function OnDemand(props: Props) {
    useEffect(() => void fetchView(), []);
    const { value } = loaded;
    return value === null || value === 'failed' ? (
      fallback(value === 'failed')
    ) : (
      <value.View {...props} />
    );
  };
}
