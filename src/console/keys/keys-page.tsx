import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import { CodeExamples, CopyField } from '../from-code/code-dialog.tsx';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import type { KeyInfo, KeyOptions } from '../../index.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatDateTime, formatNumber } from '../ui/format.ts';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { sha256Hex } from '../../core/text/sha256.ts';
import { NewKey } from './new-key.tsx';
import { messageOf } from '../../core/text/message-of.ts';

/** The keys that other pages, frames and programs use: create, see, revoke. */
export function KeysPage({ session }: { session: Session }): VNode {
  const { v1, shelf } = session;
  const { app, fromCode, keys: text } = messages.value;
  const keys = useSignal<KeyInfo[]>([]);
  const ownId = useSignal('');
  const created = useSignal('');
  /** Counts the created keys: each is made with an empty form. */
  const count = useSignal(0);
  const secret = useRef<HTMLElement>(null);
  // The only chance to copy a secret must not be below the edge of the screen.
  useEffect(() => secret.current?.focus(), [created.value]);
  const failure = useSignal('');
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      failure.value = '';
      keys.value = await v1.keys.list();
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  useEffect(
    () =>
      void attempt(async () => {
        ownId.value = await sha256Hex(v1.apiKey);
      }),
    [],
  );
  const create = (options: KeyOptions) =>
    attempt(async () => {
      created.value = await v1.keys.create(options);
      count.value++;
    });
  const revoke = ({ id }: KeyInfo) =>
    attempt(async () => {
      created.value = '';
      await v1.keys.revoke(id);
    });
  return (
    <div class="page">
      <TopBar />
      <ScrolledColumn>
        <h1 class="page-title">{app.pages.keys}</h1>
        <p class="lead">{text.lead}</p>
        <NewKey
          key={count.value}
          models={shelf.all.value}
          onCreate={(options) => void create(options)}
        />
        {failure.value !== '' && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        {created.value !== '' && (
          <section class="card" ref={secret} tabIndex={-1} aria-label={text.created}>
            <p role="status">{text.copyNow}</p>
            <CopyField name={fromCode.apiKey} value={created.value} />
            <CodeExamples
              baseURL={v1.baseURL}
              apiKey={created.value}
              model={shelf.selected.value}
            />
          </section>
        )}
        <ul class="cards" aria-label={app.pages.keys}>
          {keys.value.map((key) => (
            <li key={key.id} class="card">
              <div class="card-head">
                <h2>{key.label === '' ? text.noLabel : key.label}</h2>
                <span class="note">{formatDateTime(key.createdAt)}</span>
              </div>
              <p class="note">{describeRights(key)}</p>
              <p class="note">{describeUse(key)}</p>
              {key.id === ownId.value ? (
                <p class="note">{text.own}</p>
              ) : (
                <div class="button-row">
                  <TextButton class="button danger" onClick={() => void revoke(key)}>
                    {text.revoke}
                  </TextButton>
                </div>
              )}
            </li>
          ))}
        </ul>
        {keys.value.length === 0 && <p class="note">{text.none}</p>}
      </ScrolledColumn>
    </div>
  );
}

function describeUse({ lastUsedAt, tokensPerDay, tokensToday = 0, expiresAt }: KeyInfo): string {
  const text = messages.value.keys;
  return [
    lastUsedAt === undefined
      ? text.unused
      : fill(text.lastUsed, { time: formatDateTime(lastUsedAt) }),
    tokensPerDay === undefined
      ? ''
      : fill(text.usedToday, { used: formatNumber(tokensToday), all: formatNumber(tokensPerDay) }),
    expiresAt === undefined ? '' : describeEnd(expiresAt),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function describeEnd(expiresAt: number): string {
  const { expires, expired } = messages.value.keys;
  return fill(expiresAt > Date.now() ? expires : expired, { time: formatDateTime(expiresAt) });
}

function describeRights({ models, endpoints, manageModels, autoInstall }: KeyInfo): string {
  const text = messages.value.keys;
  return [
    models ? fill(text.onlyModels, { models: models.join(', ') }) : text.allModels,
    endpoints ? fill(text.onlyEndpoints, { endpoints: endpoints.join(', ') }) : '',
    manageModels ? text.manages : '',
    autoInstall ? text.downloads : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
