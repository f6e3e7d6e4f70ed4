import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../app/session.ts';
import { TextButton } from '../ui/buttons.tsx';
import { selfTest, type Check } from './self-test.ts';

const OUTCOMES: Record<Check['outcome'], string> = {
  passed: 'Works',
  failed: 'Failed',
  skipped: 'Not tested',
};

interface SelfTestProps {
  session: Session;
  checks: readonly Check[];
  onChecks: (checks: readonly Check[]) => void;
}

/** A button that tests what models need here, and what came out. */
export function SelfTestView({ session: { v1, shelf }, checks, onChecks }: SelfTestProps): VNode {
  const status = useSignal('');
  const run = async () => {
    status.value = 'Testing…';
    const made: Check[] = [];
    onChecks(made);
    await selfTest({ v1, models: shelf.all.value }, (check) => {
      made.push(check);
      onChecks([...made]);
    });
    const hasFailed = made.some(({ outcome }) => outcome === 'failed');
    status.value = hasFailed ? 'Something does not work.' : 'All that was tested works.';
  };
  return (
    <section class="card" aria-label="Self-test">
      <h2>Self-test</h2>
      <dl>
        {checks.map(({ name, outcome, detail }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {OUTCOMES[outcome]}
              <p class="note">{detail}</p>
            </dd>
          </div>
        ))}
      </dl>
      <div class="button-row">
        <TextButton disabled={status.value === 'Testing…'} onClick={() => void run()}>
          Test this device
        </TextButton>
        <span class="note" role="status">
          {status}
        </span>
      </div>
    </section>
  );
}
