import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { TopBar } from './app/top-bar.tsx';
import { ProblemView } from './problem/problem-view.tsx';

type State = { name: 'serving' } | { name: 'ended' } | { name: 'failed'; error: unknown };

/** Says that this page serves a local bridge, and serves it until it ends. */
export function BridgePage({ params }: { params: URLSearchParams }): VNode {
  const state = useSignal<State>({ name: 'serving' });
  useEffect(() => void serve(params, (next) => (state.value = next)), []);
  return (
    <>
      <TopBar />
      <main class="scroller">
        {state.value.name === 'failed' ? (
          <ProblemView error={state.value.error} />
        ) : (
          <section class="bridge" role="status">
            {state.value.name === 'serving' ? <Serving /> : <Ended />}
          </section>
        )}
      </main>
    </>
  );
}

async function serve(params: URLSearchParams, onState: (state: State) => void): Promise<void> {
  try {
    const { runBridge } = await import('./bridge.ts');
    await runBridge(params);
    // The page has tried to close itself, but most browsers close only windows that a script opened.
    onState({ name: 'ended' });
  } catch (error) {
    onState({ name: 'failed', error });
  }
}

function Serving(): VNode {
  return (
    <>
      <h1>This page serves a local bridge.</h1>
      <p class="lead">
        Programs on this computer reach its API through slashv1 serve. The bridge ends when this
        page is closed.
      </p>
    </>
  );
}

function Ended(): VNode {
  return (
    <>
      <h1>The bridge has ended.</h1>
      <p class="lead">You can close this page.</p>
    </>
  );
}
