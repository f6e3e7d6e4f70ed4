import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { messageOf } from '../../core/text/message-of.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes } from '../ui/format.ts';

/** How much of prompts is on disk, and a button that deletes it; nothing if there is none. */
export function KeptPrompts({ session: { v1 } }: { session: Session }): VNode | null {
  const text = messages.value.device.prompts;
  const bytes = useSignal(0);
  const failure = useSignal('');
  const read = async () => void (bytes.value = (await v1.promptCache.size()).bytes);
  const attempt = (work: () => Promise<void>) =>
    void work().catch((error: unknown) => (failure.value = messageOf(error)));
  useEffect(() => attempt(read), []);
  const clear = async () => {
    await v1.promptCache.clear();
    await read();
  };
  if (bytes.value === 0 && failure.value === '') return null;
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p>{fill(text.what, { size: formatBytes(bytes.value) })}</p>
      <div class="button-row">
        <TextButton class="button danger" onClick={() => attempt(clear)}>
          {text.clear}
        </TextButton>
      </div>
      <p role="status">{failure}</p>
    </section>
  );
}
