import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import type { FindableTask, FoundModel } from '../../../index.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { formatNumber } from '../../ui/format.ts';
import { ModelCard } from '../model-card.tsx';
import { ownerOf, shortName } from '../model-text.ts';
import { SearchFields } from './search-fields.tsx';
import { messageOf } from '../../../core/text/message-of.ts';

const TASKS: FindableTask[] = ['chat', 'embedding', 'rerank', 'transcription'];

/** Searches the hub, and adds models that were found. Sends no request before the user searches. */
export function HubSearch({ session }: { session: Session }): VNode {
  const { hub: text, tasks } = messages.value.models;
  const query = useSignal('');
  const task = useSignal<FindableTask>('chat');
  const status = useSignal('');
  const found = useSignal<FoundModel[]>([]);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const search = async (event: Event) => {
    event.preventDefault();
    running.current?.abort();
    const asking = new AbortController();
    running.current = asking;
    found.value = [];
    status.value = text.searching;
    try {
      const { signal } = asking;
      const wanted = { query: query.value.trim(), task: task.value, signal };
      found.value = await session.v1.models.search(wanted);
      status.value = found.value.length === 0 ? text.none : '';
    } catch (error) {
      if (asking.signal.aborted) return;
      status.value = navigator.onLine ? messageOf(error) : text.offline;
    }
  };
  return (
    <section class="hub-search" aria-label={text.title}>
      <form class="hub-form" role="search" onSubmit={(event) => void search(event)}>
        <SearchFields
          query={query}
          task={task}
          names={text}
          tasks={TASKS.map((id) => ({ id, name: tasks[id] }))}
        />
        <button class="button" type="submit">
          {text.submit}
        </button>
        <p class="note" role="status">
          {status.value === '' ? text.hint : status}
        </p>
      </form>
      {found.value.length > 0 && (
        <div class="model-cards">
          <h2>{text.found}</h2>
          <ul>
            {found.value.map((model) => (
              <FoundCard key={model.id} session={session} found={model} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** A model of the hub. Once the catalog has it, shows the card with its download button. */
function FoundCard({ session, found }: { session: Session; found: FoundModel }): VNode {
  const { v1, shelf } = session;
  const { hub, actions } = messages.value.models;
  const id = useSignal(found.id);
  const status = useSignal('');
  const known = shelf.find(id.value);
  if (known) return <ModelCard session={session} model={known} />;
  const add = async () => {
    status.value = hub.reading;
    try {
      id.value = await v1.models.add(found.id);
      await shelf.refresh();
    } catch (error) {
      status.value = messageOf(error);
    }
  };
  return (
    <li class="card">
      <div class="card-head">
        <h3>{shortName(found.id)}</h3>
        <span class="note">{ownerOf(found.id)}</span>
      </div>
      <FoundFacts found={found} />
      <div class="button-row">
        <TextButton disabled={found.gated} onClick={() => void add()}>
          {actions.add}
        </TextButton>
      </div>
      {status.value !== '' && (
        <p class="note" role="status">
          {status}
        </p>
      )}
    </li>
  );
}

function FoundFacts({ found }: { found: FoundModel }): VNode {
  const { formats, downloads, likes, license, gated } = found;
  const { hub: text, facts: names } = messages.value.models;
  const facts = [
    { name: text.files, value: formats.map((format) => text.formats[format]).join(', ') },
    { name: text.downloads, value: formatNumber(downloads) },
    { name: text.likes, value: formatNumber(likes) },
    { name: names.licence, value: license ?? names.unknown },
  ];
  return (
    <>
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {gated && <p class="note">{text.gated}</p>}
    </>
  );
}
