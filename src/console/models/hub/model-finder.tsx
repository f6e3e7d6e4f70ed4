import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import type { FindableTask, FoundModel, GivenFile, Task } from '../../../index.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { messageOf } from '../../../core/text/message-of.ts';
import { addModel, isAddress, isUrl } from './add-model.ts';
import { FoundModels } from './found-models.tsx';
import { droppedFiles, pickFiles } from './picked-files.ts';
import { searchHub } from './search-hub.ts';

const TASKS: Task[] = ['chat', 'speech', 'transcription', 'embedding', 'rerank'];
/** Tasks for which the hub can be searched. Its voices are in the list already. */
const FINDABLE: FindableTask[] = ['chat', 'embedding', 'rerank', 'transcription'];

interface FinderProps {
  session: Session;
  /** What the list below is searched for. */
  query: Signal<string>;
  /** The task that it is searched for; empty: all. */
  task: Signal<Task | ''>;
}

/**
 * One field for all places: typing searches this browser and this site, Enter the hub. A URL or `owner/name` can be
 * added; GGUF files can be chosen, or dropped on the page.
 */
export function ModelFinder({ session, query, task }: FinderProps): VNode {
  const { models: text } = messages.value;
  const status = useSignal('');
  const isAdding = useSignal(false);
  const found = useSignal<readonly FoundModel[]>([]);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const wanted = query.value.trim();
  const tasks = FINDABLE.filter((each) => task.value === '' || each === task.value);

  const add = async (source: string | GivenFile[], name: string) => {
    isAdding.value = true;
    status.value = fill(text.add.adding, { name });
    try {
      const id = await addModel(session, source);
      // The card would be hidden by what was searched.
      query.value = '';
      task.value = '';
      status.value = fill(text.add.added, { id });
    } catch (error) {
      status.value = messageOf(error);
    } finally {
      isAdding.value = false;
    }
  };
  const addFiles = (files: GivenFile[]) => {
    if (files.length > 0) void add(files, files.map(({ name }) => name).join(', '));
  };
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Without this, the browser would leave the page and show the file.
    document.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then(addFiles);
    };
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();
  }, []);
  const search = async () => {
    running.current?.abort();
    const asking = new AbortController();
    running.current = asking;
    found.value = [];
    status.value = text.hub.searching;
    try {
      found.value = await searchHub(session.v1, wanted, tasks, asking.signal);
      status.value = found.value.length === 0 ? text.hub.none : '';
    } catch (error) {
      if (asking.signal.aborted) return;
      status.value = navigator.onLine ? messageOf(error) : text.hub.offline;
    }
  };
  return (
    <>
      <form
        class="model-finder"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void (isUrl(wanted) ? add(wanted, wanted) : search());
        }}
      >
        <input
          type="search"
          class="field"
          aria-label={text.search}
          placeholder={text.finder}
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
        <select
          class="field"
          aria-label={text.task}
          value={task.value}
          onChange={({ currentTarget: { value } }) =>
            (task.value = TASKS.find((each) => each === value) ?? '')
          }
        >
          <option value="">{text.allTasks}</option>
          {TASKS.map((id) => (
            <option key={id} value={id}>
              {text.tasks[id]}
            </option>
          ))}
        </select>
        <div class="button-row">
          {isAddress(wanted) && (
            <TextButton
              class="button primary"
              disabled={isAdding.value}
              onClick={() => void add(wanted, wanted)}
            >
              {text.actions.add}
            </TextButton>
          )}
          {!isUrl(wanted) && (
            <button class="button" type="submit" disabled={tasks.length === 0}>
              {text.hub.submit}
            </button>
          )}
          <TextButton disabled={isAdding.value} onClick={() => pickFiles('.gguf', addFiles)}>
            {text.add.choose}
          </TextButton>
        </div>
        <p class="note" role="status">
          {status.value === '' ? `${text.hub.hint} ${text.add.hint}` : status}
        </p>
      </form>
      {found.value.length > 0 && <FoundModels session={session} found={found.value} />}
    </>
  );
}
