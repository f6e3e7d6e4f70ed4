import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

type View<Props> = (props: Props) => VNode | null;

/**
 * A component whose code is fetched when it is first drawn. Until then `fallback` is shown, also if it cannot be
 * fetched.
 */
export function onDemand<Props extends object>(
  load: () => Promise<View<Props>>,
  fallback: () => VNode | null = () => null,
): View<Props> {
  const loaded = signal<{ View: View<Props> } | null>(null);
  const fetchView = async () => {
    loaded.value ??= { View: await load() };
  };
  return function OnDemand(props: Props) {
    useEffect(() => void fetchView().catch(() => undefined), []);
    const { value } = loaded;
    return value ? <value.View {...props} /> : fallback();
  };
}
