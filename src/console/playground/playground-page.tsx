import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { nameItem, route } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import { SnippetTabs } from '../from-code/code-dialog.tsx';
import { requestCode } from '../from-code/request-code.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Folded } from '../ui/folded.tsx';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { BodyEditor } from './body/body-editor.tsx';
import { bodyProblem, codeOf, isOfDevice, firstBody, firstValues, outgoing } from './requests.ts';
import { drafts, writtenValues } from './drafts.ts';
import { ENDPOINTS, endpointOf, nameOf, pathNames } from './endpoints.ts';
import { Exchange } from './exchange.ts';
import { ExchangeView } from './exchange-view.tsx';
import { FileField, fileDraft } from './file-field.tsx';
import { RecordingField } from './recording-field.tsx';
import { ValueFields } from './value-fields.tsx';

/** Sends any request to the API, and shows the response as it arrives. */
export function PlaygroundPage({ session }: { session: Session }): VNode {
  const { v1, shelf } = session;
  const endpoint = endpointOf(route.value.item);
  const name = nameOf(endpoint);
  const { app, fromCode, ui, playground: text } = messages.value;
  const exchange = useSignal<Exchange | null>(null);
  const body = drafts.value.get(name) ?? firstBody(endpoint, shelf.all.value);
  const values = writtenValues.value.get(name) ?? firstValues(endpoint, shelf.all.value);
  const problem = endpoint.body ? bodyProblem(body) : '';
  const file = fileDraft.value;
  const isComplete =
    problem === '' &&
    (!endpoint.file || file !== null) &&
    pathNames(endpoint).every((needed) => (values[needed] ?? '') !== '');
  const refusal = exchange.value?.refusal ?? '';
  const isRunning = exchange.value !== null && exchange.value.endedAt.value === null;
  const send = () => {
    const next = new Exchange();
    exchange.value = next;
    void next.run(() => outgoing(v1, endpoint, values, body, file));
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
            value={name}
            onChange={({ currentTarget }) => {
              exchange.value = null;
              nameItem('playground', currentTarget.value);
            }}
          >
            {ENDPOINTS.map((known) => (
              <option key={nameOf(known)} value={nameOf(known)}>
                {known.method} /v1{known.path}
              </option>
            ))}
          </select>
        </label>
        <ValueFields endpoint={endpoint} values={values} models={shelf.all.value} />
        {endpoint.body && (
          <BodyEditor
            key={name}
            endpoint={endpoint}
            text={body}
            syntaxProblem={problem}
            refusal={refusal}
            isChecked={isOfDevice(body, session)}
          />
        )}
        {endpoint.file === 'recording' && <RecordingField />}
        {endpoint.file === 'any' && <FileField />}
        {endpoint.removes && <p class="note">{text.removes[endpoint.removes]}</p>}
        <div class="button-row">
          {isRunning && <TextButton onClick={() => exchange.value?.stop()}>{ui.stop}</TextButton>}
          <TextButton
            class={endpoint.removes ? 'button danger' : 'button primary'}
            disabled={!isComplete || isRunning}
            onClick={send}
          >
            {text.send}
          </TextButton>
        </div>
        {problem === '' && !endpoint.isSigned && (
          <Folded class="card-details" summary={fromCode.title}>
            {() => <SnippetTabs snippets={requestCode(codeOf(endpoint, values, body, file), v1)} />}
          </Folded>
        )}
        {exchange.value && <ExchangeView exchange={exchange.value} />}
      </ScrolledColumn>
    </div>
  );
}
