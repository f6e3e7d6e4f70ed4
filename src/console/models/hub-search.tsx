import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { errorMessage } from '../error-message.ts';
import type { FindableTask, FoundModel } from '../../index.ts';
import { TextButton } from '../ui/buttons.tsx';
import { ModelCard } from './model-card.tsx';
import { ownerOf, shortName } from './model-text.ts';

const TASKS: { id: FindableTask; name: string }[] = [
  { id: 'chat', name: 'Chat' },
  { id: 'embedding', name: 'Embeddings' },
  { id: 'rerank', name: 'Rerank' },
  { id: 'transcription', name: 'Transcription' },
];

const FORMATS: Record<FoundModel['formats'][number], string> = {
  gguf: 'GGUF for llama.cpp',
  mlc: 'MLC for WebLLM',
  onnx: 'ONNX',
};

/** Searches the hub, and adds what was found. Nothing is asked before the user searches. */
export function HubSearch({ session }: { session: Session }): VNode {
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
    status.value = 'Searching…';
    try {
      const { signal } = asking;
      const wanted = { query: query.value.trim(), task: task.value, signal };
      found.value = await session.v1.models.search(wanted);
      status.value = found.value.length === 0 ? 'The model hub has no such model.' : '';
    } catch (error) {
      if (asking.signal.aborted) return;
      status.value = navigator.onLine
        ? errorMessage(error)
        : 'You are offline: the model hub cannot be searched.';
    }
  };
  return (
    <section class="hub-search" aria-label="Model hub">
      <form class="hub-form" role="search" onSubmit={(event) => void search(event)}>
        <input
          type="search"
          class="field"
          placeholder="Search the model hub"
          aria-label="Search the model hub"
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
        <select
          class="field"
          aria-label="Task on the model hub"
          value={task.value}
          onChange={({ currentTarget: { value } }) => (task.value = taskOf(value))}
        >
          {TASKS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <button class="button" type="submit">
          Search
        </button>
        <p class="note" role="status">
          {status.value === '' ? 'The model hub is asked only when you search.' : status}
        </p>
      </form>
      {found.value.length > 0 && (
        <div class="model-cards">
          <h2>Found on the model hub</h2>
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

function taskOf(value: string): FindableTask {
  return TASKS.find(({ id }) => id === value)?.id ?? 'chat';
}

/** A model of the hub; once the catalog has it, the card with which it is downloaded. */
function FoundCard({ session, found }: { session: Session; found: FoundModel }): VNode {
  const { v1, shelf } = session;
  const id = useSignal(found.id);
  const status = useSignal('');
  const known = shelf.find(id.value);
  if (known) return <ModelCard session={session} model={known} />;
  const add = async () => {
    status.value = 'Reading what it is…';
    try {
      id.value = await v1.models.add(found.id);
      await shelf.refresh();
    } catch (error) {
      status.value = errorMessage(error);
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
          Add
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
  const facts = [
    { name: 'Files', value: formats.map((format) => FORMATS[format]).join(', ') },
    { name: 'Downloads in a month', value: downloads.toLocaleString('en') },
    { name: 'Likes', value: likes.toLocaleString('en') },
    { name: 'Licence', value: license ?? 'not known' },
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
      {gated && (
        <p class="note">
          Its files are only for people who have agreed to its terms on the hub, so a page cannot
          download them.
        </p>
      )}
    </>
  );
}
