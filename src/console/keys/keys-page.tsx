import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import { errorMessage } from '../error-message.ts';
import { CodeExamples, CopyField } from '../from-code/code-dialog.tsx';
import type { KeyInfo, KeyOptions } from '../../index.ts';
import { TextButton } from '../ui/buttons.tsx';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { NewKey } from './new-key.tsx';

/** The keys that other pages, frames and programs use: create, see, revoke. */
export function KeysPage({ session }: { session: Session }): VNode {
  const { v1, shelf } = session;
  const keys = useSignal<KeyInfo[]>([]);
  const ownId = useSignal('');
  const created = useSignal('');
  const failure = useSignal('');
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      failure.value = '';
      keys.value = await v1.keys.list();
    } catch (error) {
      failure.value = errorMessage(error);
    }
  };
  useEffect(
    () =>
      void attempt(async () => {
        ownId.value = await idOf(v1.apiKey);
      }),
    [],
  );
  const create = (options: KeyOptions) =>
    attempt(async () => {
      created.value = await v1.keys.create(options);
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
        <h1 class="page-title">Keys</h1>
        <p class="lead">
          A key lets other pages of this site, and programs behind the bridge, use the models. It is
          valid until you revoke it.
        </p>
        <NewKey models={shelf.all.value} onCreate={(options) => void create(options)} />
        {failure.value !== '' && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        {created.value !== '' && (
          <section class="card" aria-label="New key">
            <p role="status">Copy the key now. It is not stored and cannot be shown again.</p>
            <CopyField name="API key" value={created.value} />
            <CodeExamples
              baseURL={v1.baseURL}
              apiKey={created.value}
              model={shelf.selected.value}
            />
          </section>
        )}
        <ul class="cards" aria-label="Keys">
          {keys.value.map((key) => (
            <li key={key.id} class="card">
              <div class="card-head">
                <h2>{key.label === '' ? 'Without a label' : key.label}</h2>
                <span class="note">{new Date(key.createdAt).toLocaleString('en')}</span>
              </div>
              <p class="note">{describeRights(key)}</p>
              <p class="note">{describeUse(key)}</p>
              {key.id === ownId.value ? (
                <p class="note">The key of this tab. It ends with the tab.</p>
              ) : (
                <div class="button-row">
                  <TextButton class="button danger" onClick={() => void revoke(key)}>
                    Revoke
                  </TextButton>
                </div>
              )}
            </li>
          ))}
        </ul>
        {keys.value.length === 0 && <p class="note">No keys yet.</p>}
      </ScrolledColumn>
    </div>
  );
}

function describeUse({ lastUsedAt, tokensPerDay, tokensToday = 0, expiresAt }: KeyInfo): string {
  const used = tokensToday.toLocaleString('en');
  return [
    lastUsedAt === undefined ? 'Not used yet' : `Last used ${dateTime(lastUsedAt)}`,
    tokensPerDay === undefined
      ? ''
      : `${used} of ${tokensPerDay.toLocaleString('en')} tokens used today (UTC)`,
    expiresAt === undefined
      ? ''
      : `${expiresAt > Date.now() ? 'expires' : 'expired'} ${dateTime(expiresAt)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function dateTime(at: number): string {
  return new Date(at).toLocaleString('en');
}

function describeRights({ models, endpoints, manageModels, autoInstall }: KeyInfo): string {
  return [
    models ? `Only ${models.join(', ')}` : 'All models',
    endpoints ? `only ${endpoints.join(', ')}` : '',
    manageModels ? 'may install, load and remove models' : '',
    autoInstall ? 'a request downloads its model' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A key's id is its SHA-256 in hex. */
async function idOf(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
