import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { TopBar } from './app/top-bar.tsx';
import { messages } from './messages/messages.ts';
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
  const { serving, servingLead } = messages.value.app.bridge;
  return (
    <>
      <h1>{serving}</h1>
      <p class="lead">{servingLead}</p>
    </>
  );
}

function Ended(): VNode {
  const { ended, endedLead } = messages.value.app.bridge;
  return (
    <>
      <h1>{ended}</h1>
      <p class="lead">{endedLead}</p>
    </>
  );
}
