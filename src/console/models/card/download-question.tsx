import type { VNode } from 'preact';
import { messages } from '../../messages/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { ModelShelf } from '../model-shelf.ts';
import { ModelConfirmation } from './model-confirmation.tsx';

/** Asks before a model is downloaded where data is dear. */
export function DownloadQuestion({ shelf }: { shelf: ModelShelf }): VNode | null {
  const question = shelf.question.value;
  const model = question && shelf.find(question.model);
  if (!model) return null;
  const close = () => shelf.dismissQuestion();
  const carryOut = () => {
    close();
    question.carryOut();
  };
  return (
    <Dialog title={messages.value.app.pages.models} name="models" onClose={close}>
      <ModelConfirmation
        shelf={shelf}
        model={model}
        action="install"
        onCancel={close}
        onConfirm={carryOut}
      />
    </Dialog>
  );
}
