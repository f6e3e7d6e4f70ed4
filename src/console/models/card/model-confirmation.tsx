import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogModel } from '../../../index.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { ModelFacts } from './model-facts.tsx';
import { isMetered } from '../../../core/fit/connection.ts';
import type { ModelShelf } from '../model-shelf.ts';
import { describeDownload, describeRemoval, shortName } from '../model-text.ts';
import { freeBytes } from '../storage/storage.ts';
import { messageOf } from '../../../core/text/message-of.ts';

const FreeRoom = onDemand(async () => (await import('../storage/free-room.tsx')).FreeRoom);

interface ConfirmationProps {
  shelf: ModelShelf;
  model: CatalogModel;
  action: 'install' | 'remove';
  onCancel: () => void;
  onConfirm: () => void;
}

/** Asks before a model is downloaded or deleted, and lists what the user should know about it. */
export function ModelConfirmation(props: ConfirmationProps): VNode {
  const { shelf, model, action, onCancel, onConfirm } = props;
  const isDownload = action === 'install';
  const { actions, confirmation } = messages.value.models;
  const inquiry = useSignal('');
  const free = useSignal<number | undefined>(undefined);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void freeBytes().then((bytes) => (free.value = bytes));
    row.current?.querySelector('button')?.focus();
    if (action === 'remove' || !isIncomplete(model)) return undefined;
    const ending = new AbortController();
    inquiry.value = confirmation.asking;
    void shelf
      .inspect(model.id, ending.signal)
      .then(() => (inquiry.value = ''))
      .catch((error: unknown) => (inquiry.value = messageOf(error)));
    return () => ending.abort();
  }, []);
  const lines = isDownload ? describeDownload(model, free.value) : [describeRemoval(model)];
  if (isDownload && isMetered()) lines.push(confirmation.metered);
  const confirm = () => {
    if (isDownload) shelf.confirm(model.id);
    onConfirm();
  };
  const name = shortName(model.id);
  return (
    <div class="confirmation">
      <h3>
        {isDownload ? fill(confirmation.download, { name }) : fill(confirmation.delete, { name })}
      </h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {inquiry.value !== '' && (
        <p class="note" role="status">
          {inquiry}
        </p>
      )}
      {isDownload && shelf.lacksRoom(model.id) && <FreeRoom shelf={shelf} wanted={model.id} />}
      {isDownload && <ModelFacts model={model} memoryBudget={shelf.memoryBudget} />}
      <div class="button-row" ref={row}>
        <TextButton onClick={onCancel}>{messages.value.ui.cancel}</TextButton>
        <TextButton class={isDownload ? 'button primary' : 'button danger'} onClick={confirm}>
          {isDownload ? actions.download : actions.delete}
        </TextButton>
      </div>
    </div>
  );
}

/** Whether the list lacks facts that the hub knows. */
function isIncomplete({ state, bytes, license }: CatalogModel): boolean {
  return state === 'available' && (bytes === undefined || license === undefined);
}
