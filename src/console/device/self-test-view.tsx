import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../app/session.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { selfTest, type Check } from './self-test.ts';

interface SelfTestProps {
  session: Session;
  checks: readonly Check[];
  onChecks: (checks: readonly Check[]) => void;
}

/** A button that runs the self-test, and the results. */
export function SelfTestView({ session: { v1, shelf }, checks, onChecks }: SelfTestProps): VNode {
  const text = messages.value.device.test;
  const state = useSignal<'hasPassed' | 'hasFailed' | 'running' | null>(null);
  const run = async () => {
    state.value = 'running';
    const made: Check[] = [];
    onChecks(made);
    await selfTest({ v1, models: shelf.all.value }, (check) => {
      made.push(check);
      onChecks([...made]);
    });
    const hasFailed = made.some(({ outcome }) => outcome === 'failed');
    state.value = hasFailed ? 'hasFailed' : 'hasPassed';
  };
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      {checks.length === 0 && <p class="note">{text.what}</p>}
      <dl>
        {checks.map(({ name, outcome, detail }) => (
          <div key={name}>
            <dt>{text.checks[name]}</dt>
            <dd>
              {text.outcomes[outcome]}
              <p class="note">{detail()}</p>
            </dd>
          </div>
        ))}
      </dl>
      <div class="button-row">
        <TextButton disabled={state.value === 'running'} onClick={() => void run()}>
          {text.start}
        </TextButton>
        <span class="note" role="status">
          {state.value && text[state.value]}
        </span>
      </div>
    </section>
  );
}
