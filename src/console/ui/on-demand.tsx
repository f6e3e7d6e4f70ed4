import { signal } from '@preact/signals';
import type { ComponentChild, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { TextButton } from './buttons.tsx';

type View<Props> = (props: Props) => VNode | null;

/** For parts that nobody has asked for: without their code, nothing is shown. */
export const quietly = () => null;

/**
 * A component whose code is fetched when it is first drawn. If that fails, it says so, and can be tried again.
 *
 * @param frame - what stands around the failure, which is null while the code is being fetched; default: nothing
 */
export function onDemand<Props extends object>(
  load: () => Promise<View<Props>>,
  frame: (failure: VNode | null, props: Props) => ComponentChild = (failure) => failure,
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
    if (value !== null && value !== 'failed') return <value.View {...props} />;
    const failure = value && <NotFetched onRetry={() => void fetchView()} />;
    return <>{frame(failure, props)}</>;
  };
}

/** Says that the code of a part of the page could not be fetched, with a button that tries again. */
export function NotFetched({ onRetry }: { onRetry: () => void }): VNode {
  const { app, models } = messages.value;
  return (
    <div class="not-fetched">
      <p class="note" role="alert">
        {app.notFetched}
      </p>
      <TextButton onClick={onRetry}>{models.actions.tryAgain}</TextButton>
    </div>
  );
}
