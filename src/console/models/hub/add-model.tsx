import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { isUnfit } from '../unfit-models.tsx';
import type { GivenFile } from '../../../index.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import { droppedFiles, pickFiles } from './picked-files.ts';

/** Adds a model by its id on the hub, a URL, or a GGUF file, which may also be dropped on the page. */
export function AddModel({ session: { v1, shelf } }: { session: Session }): VNode {
  const text = messages.value.models;
  const source = useSignal('');
  const status = useSignal('');
  const isAdding = useSignal(false);
  const add = async (wanted: string | GivenFile[], name: string) => {
    isAdding.value = true;
    status.value = fill(text.add.adding, { name });
    try {
      const id = await v1.models.add(wanted);
      await shelf.refresh();
      source.value = '';
      status.value = fill(text.add.added, { id });
      begin(shelf, id);
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
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = source.value.trim();
    if (wanted !== '') void add(wanted, wanted);
  };
  return (
    <form class="add-model" onSubmit={submit}>
      <input
        class="field"
        aria-label={text.add.name}
        placeholder={text.add.placeholder}
        value={source.value}
        onInput={({ currentTarget }) => (source.value = currentTarget.value)}
      />
      <button class="button primary" type="submit" disabled={isAdding.value}>
        {text.actions.add}
      </button>
      <TextButton disabled={isAdding.value} onClick={() => pickFiles('.gguf', addFiles)}>
        {text.add.choose}
      </TextButton>
      <p class="note" role="status">
        {status.value === '' ? text.add.hint : status}
      </p>
    </form>
  );
}

/** Shows a model's card with its details, and downloads the model unless it does not run here. */
function begin(shelf: Session['shelf'], id: string): void {
  shelf.shown.value = id;
  const model = shelf.find(id);
  if (model?.state === 'available' && !isUnfit(model)) void shelf.install(id);
}
