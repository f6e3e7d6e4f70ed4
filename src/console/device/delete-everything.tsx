import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../app/session.ts';
import { messageOf } from '../../core/text/message-of.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { forgetUndo } from '../ui/undo.tsx';
import { deleteAll } from './delete-all.ts';

/** Deletes all that the console has stored. It asks first, because nothing brings it back. */
export function DeleteEverything({ session }: { session: Session }): VNode {
  const text = messages.value.device.everything;
  const { cancel } = messages.value.ui;
  const isAsking = useSignal(false);
  const said = useSignal('');
  const go = async () => {
    isAsking.value = false;
    said.value = text.deleting;
    forgetUndo();
    try {
      await deleteAll(session);
      said.value = text.deleted;
    } catch (error) {
      said.value = messageOf(error);
    }
  };
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p>{text.what}</p>
      <div class="button-row">
        <TextButton class="button danger" onClick={() => (isAsking.value = true)}>
          {text.title}
        </TextButton>
      </div>
      <p role="status">{said}</p>
      {isAsking.value && (
        <Dialog title={text.sure} name="everything" onClose={() => (isAsking.value = false)}>
          <p>{text.what}</p>
          <p>{text.noUndo}</p>
          <div class="button-row">
            <TextButton onClick={() => (isAsking.value = false)}>{cancel}</TextButton>
            <TextButton class="button danger" onClick={() => void go()}>
              {text.confirm}
            </TextButton>
          </div>
        </Dialog>
      )}
    </section>
  );
}
