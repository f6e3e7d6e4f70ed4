import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { nameItem, route } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { drafts } from './drafts.ts';
import { Exchange } from './exchange.ts';
import { ExchangeView } from './exchange-view.tsx';
import { RecordingField, recordingDraft } from './recording-field.tsx';
import { bodyProblem, ENDPOINTS, endpointOf, firstBody, formOf } from './requests.ts';

/** Sends any request to the API and shows what comes back, as it comes. */
export function PlaygroundPage({ session: { v1, shelf } }: { session: Session }): VNode {
  const endpoint = endpointOf(`/${route.value.item}`);
  const { method, path } = endpoint;
  const { app, ui, playground: text } = messages.value;
  const exchange = useSignal<Exchange | null>(null);
  const body = drafts.value.get(path) ?? firstBody(endpoint, shelf.all.value);
  const problem = endpoint.body ? bodyProblem(body) : '';
  const recording = recordingDraft.value;
  const isComplete = problem === '' && (!endpoint.hasRecording || recording !== null);
  const refusal = exchange.value?.refusal ?? '';
  const isRunning = exchange.value !== null && exchange.value.endedAt.value === null;
  const send = () => {
    const next = new Exchange();
    exchange.value = next;
    const sent = endpoint.hasRecording && recording ? formOf(body, recording) : body;
    void next.run(v1, method, path, sent);
  };
  return (
    <div class="page">
      <TopBar />
      <ScrolledColumn>
        <h1 class="page-title">{app.pages.playground}</h1>
        <label class="labelled">
          <span>{text.endpoint}</span>
          <select
            class="field mono"
            value={path}
            onChange={({ currentTarget }) => {
              exchange.value = null;
              nameItem('playground', currentTarget.value.slice(1));
            }}
          >
            {ENDPOINTS.map((known) => (
              <option key={known.path} value={known.path}>
                {known.method} /v1{known.path}
              </option>
            ))}
          </select>
        </label>
        {endpoint.body && (
          <label class="labelled">
            <span>{text.body}</span>
            <textarea
              class="field mono"
              rows={12}
              spellcheck={false}
              aria-invalid={problem !== '' || refusal !== ''}
              value={body}
              onInput={({ currentTarget }) =>
                (drafts.value = new Map(drafts.value).set(path, currentTarget.value))
              }
            />
            <small role="status">{problem || refusal}</small>
          </label>
        )}
        {endpoint.hasRecording && <RecordingField />}
        <div class="button-row">
          {isRunning && <TextButton onClick={() => exchange.value?.stop()}>{ui.stop}</TextButton>}
          <TextButton class="button primary" disabled={!isComplete || isRunning} onClick={send}>
            {text.send}
          </TextButton>
        </div>
        {exchange.value && <ExchangeView exchange={exchange.value} />}
      </ScrolledColumn>
    </div>
  );
}
