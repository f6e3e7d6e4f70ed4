import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { IconButton } from './buttons.tsx';

interface DialogProps {
  title: string;
  /** The dialog's CSS class. */
  name: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog, open while it is drawn. Esc, its close button and a click outside it close it. */
export function Dialog({ title, name, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  const id = `dialog-${name}`;
  return (
    <dialog
      ref={element}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onClose={onClose}
      // A click on the backdrop has the dialog itself as its target.
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton
          icon="close"
          label={messages.value.ui.close}
          onClick={() => element.current?.close()}
        />
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
