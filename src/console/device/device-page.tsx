import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { siteOptions } from '../app/site-options.ts';
import { TopBar } from '../app/top-bar.tsx';
import { inEnglish } from '../messages/language.ts';
import { messages } from '../messages/messages.ts';
import { storageUse, type StorageUse } from '../models/storage/storage.ts';
import { CpuNoteView } from '../problem/cpu-note-view.tsx';
import { CopyButton } from '../ui/buttons.tsx';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { adapterFacts, findAdapter, type Adapter } from './adapter-facts.ts';
import { deviceFacts, reportText, testFacts } from './device-facts.ts';
import { describeDevice } from './engine-facts.ts';
import type { Fact } from './fact.ts';
import { DeleteEverything } from './delete-everything.tsx';
import { KeptPrompts } from './kept-prompts.tsx';
import { SelfTestView } from './self-test-view.tsx';
import type { Check } from './self-test.ts';

/** Facts about this device, and how much of it the models use. */
export function DevicePage({ session }: { session: Session }): VNode {
  const { v1, shelf } = session;
  const { app, device: text } = messages.value;
  const storage = useSignal<StorageUse | undefined>(undefined);
  const adapter = useSignal<Adapter | undefined>(undefined);
  useEffect(() => {
    void storageUse().then((use) => (storage.value = use));
    void findAdapter().then((found) => (adapter.value = found));
    // Only after a refresh does the list know whether the browser has its own model.
    void shelf.refresh();
  }, []);
  const checks = useSignal<readonly Check[]>([]);
  const groups = () =>
    deviceFacts(v1.device, {
      userAgent: navigator.userAgent,
      cores: navigator.hardwareConcurrency,
      storage: storage.value,
      adapter: adapter.value && adapterFacts(adapter.value),
      models: shelf.all.value,
      options: siteOptions(),
      hasBuiltIn: 'LanguageModel' in globalThis,
    });
  return (
    <div class="page">
      <TopBar />
      <ScrolledColumn>
        <h1 class="page-title">
          {app.pages.device}{' '}
          <CopyButton
            label={text.copyReport}
            text={() => inEnglish(() => reportText([...groups(), ...testFacts(checks.value)]))}
          />
        </h1>
        <p class="lead">{describeDevice(v1.device)}</p>
        <CpuNoteView device={v1.device} />
        <SelfTestView
          session={session}
          checks={checks.value}
          onChecks={(made) => (checks.value = made)}
        />
        {groups().map(({ title, facts, folded }) => (
          <section key={title} class="card" aria-label={title}>
            <h2>{title}</h2>
            <dl>
              {facts.map((fact) => (
                <FactView key={fact.name} {...fact} />
              ))}
            </dl>
            {folded && (
              <details class="card-details">
                <summary>{folded.title}</summary>
                <dl>
                  {folded.facts.map((fact) => (
                    <FactView key={fact.name} {...fact} />
                  ))}
                </dl>
              </details>
            )}
          </section>
        ))}
        <KeptPrompts session={session} />
        <DeleteEverything session={session} />
      </ScrolledColumn>
    </div>
  );
}

function FactView({ name, value, lang }: Fact): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd lang={lang}>{value}</dd>
    </div>
  );
}
