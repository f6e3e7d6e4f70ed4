import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CatalogModel } from '../../../index.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { formatBytes } from '../../ui/format.ts';
import type { ModelShelf } from '../model-shelf.ts';
import { shortName } from '../model-text.ts';
import { isStored } from '../stages.ts';

interface RoomProps {
  shelf: ModelShelf;
  /** Id of the model that needs the room. */
  wanted: string;
}

/** Lists the models that take up storage, the largest first, each with a button that deletes it. */
export function FreeRoom({ shelf, wanted }: RoomProps): VNode {
  const { room } = messages.value.models;
  const stored = shelf.all.value
    .filter((model) => model.id !== wanted && isStored(model))
    .sort((one, other) => takenBy(other) - takenBy(one));
  if (stored.length === 0) return <p class="note">{room.nothing}</p>;
  return (
    <section class="free-room" aria-label={room.title}>
      <p>{room.title}</p>
      <ul>
        {stored.map((model) => (
          <RoomRow key={model.id} model={model} onDelete={() => void shelf.remove(model.id)} />
        ))}
      </ul>
    </section>
  );
}

/** Asks once more before it deletes: a download cannot be undone. */
function RoomRow({ model, onDelete }: { model: CatalogModel; onDelete: () => void }): VNode {
  const isSure = useSignal(false);
  const { room, actions, facts } = messages.value.models;
  const { confirm } = messages.value.device.everything;
  const bytes = takenBy(model);
  const name = shortName(model.id);
  const label = isSure.value ? confirm : actions.delete;
  return (
    <li>
      <span class="free-room-name">{name}</span>
      <span class="note">
        {bytes === 0 ? facts.unknown : fill(room.frees, { bytes: formatBytes(bytes) })}
      </span>
      <TextButton
        class={isSure.value ? 'button danger' : 'button'}
        aria-label={`${label}: ${name}`}
        onClick={() => (isSure.value ? onDelete() : (isSure.value = true))}
      >
        {label}
      </TextButton>
    </li>
  );
}

/** Bytes that a model has in the browser's storage, as far as they are known. */
function takenBy({ bytes = 0, downloadedBytes }: CatalogModel): number {
  return downloadedBytes ?? bytes;
}
