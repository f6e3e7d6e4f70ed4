import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../../app/session.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { formatBytes, formatBytesOf } from '../../ui/format.ts';
import { storageUse, type StorageUse } from './storage.ts';

/** How much of the browser's storage and of the memory for models is taken. */
export function StorageBar({ session: { v1, shelf } }: { session: Session }): VNode {
  const text = messages.value.models.storage;
  const use = useSignal<StorageUse | undefined>(undefined);
  const refusal = useSignal('');
  const read = () => void storageUse().then((found) => (use.value = found));
  useSignalEffect(() => {
    // A model that was downloaded or deleted changes the storage use.
    if (shelf.all.value) read();
  });
  const persist = async () => {
    const agreed = await v1.models.persist();
    refusal.value = agreed ? '' : text.refused;
    read();
  };
  const loaded = shelf.all.value.filter(({ state }) => state === 'loaded');
  const taken = loaded.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
  const found = use.value;
  return (
    <section class="meters" aria-label={text.label}>
      {found && (
        <div class="meter">
          <span>{text.storage}</span>
          <meter max={found.quota} value={found.usage} />
          <span class="note">{formatBytesOf(found.usage, found.quota)}</span>
        </div>
      )}
      <div class="meter">
        <span>{text.memory}</span>
        <meter max={v1.device.memoryBudget} value={taken} />
        <span class="note">
          {fill(text.loaded, {
            taken: describeLoaded(loaded.length, taken),
            budget: formatBytes(v1.device.memoryBudget),
          })}
        </span>
      </div>
      {found && !found.persisted && (
        <p class="note">
          {text.mayVanish} <TextButton onClick={() => void persist()}>{text.persist}</TextButton>{' '}
          {refusal}
        </p>
      )}
    </section>
  );
}

/** The number of loaded models, and the memory that they are known to take. */
function describeLoaded(count: number, bytes: number): string {
  const models = fill(messages.value.models.storage.count, { count });
  return bytes === 0 ? models : `${models}, ${formatBytes(bytes)}`;
}
