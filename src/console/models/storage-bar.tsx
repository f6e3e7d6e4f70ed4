import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../app/session.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes, formatBytesOf, formatCount } from '../ui/format.ts';
import { storageUse, type StorageUse } from './storage.ts';

/** How much of the browser's storage and of the memory for models is taken. */
export function StorageBar({ session: { v1, shelf } }: { session: Session }): VNode {
  const use = useSignal<StorageUse | undefined>(undefined);
  const refusal = useSignal('');
  const read = () => void storageUse().then((found) => (use.value = found));
  useSignalEffect(() => {
    // A model that was downloaded or deleted changes it.
    if (shelf.all.value) read();
  });
  const persist = async () => {
    const agreed = await v1.models.persist();
    refusal.value = agreed ? '' : 'The browser did not agree. It may if you visit this page often.';
    read();
  };
  const loaded = shelf.all.value.filter(({ state }) => state === 'loaded');
  const taken = loaded.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
  const found = use.value;
  return (
    <section class="meters" aria-label="Storage and memory">
      {found && (
        <div class="meter">
          <span>Storage</span>
          <meter max={found.quota} value={found.usage} />
          <span class="note">{formatBytesOf(found.usage, found.quota)}</span>
        </div>
      )}
      <div class="meter">
        <span>Memory</span>
        <meter max={v1.device.memoryBudget} value={taken} />
        <span class="note">
          {describeLoaded(loaded.length, taken)} of {formatBytes(v1.device.memoryBudget)}
        </span>
      </div>
      {found && !found.persisted && (
        <p class="note">
          The browser may delete models when storage is short.{' '}
          <TextButton onClick={() => void persist()}>Ask it to keep them</TextButton> {refusal}
        </p>
      )}
    </section>
  );
}

/** The memory of some models is not known. */
function describeLoaded(count: number, bytes: number): string {
  const models = formatCount(count, 'model');
  return bytes === 0 ? models : `${models}, ${formatBytes(bytes)}`;
}
