import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { IconButton } from './buttons.tsx';

interface DialogProps {
  title: string;
  /** The dialog's CSS class. */
  name: string;
  /** Whether it stands beside what it is about, which can still be used; default: it is above everything. */
  isBeside?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog, open while it is drawn. Esc and its close button close it; if it is modal, also a click outside it. */
export function Dialog({ title, name, isBeside = false, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    if (isBeside) element.current?.show();
    else element.current?.showModal();
    return () => {
      // The browser gives the focus back only if the dialog is closed before it is removed.
      if (!element.current?.contains(document.activeElement)) return;
      queueMicrotask(() => opener instanceof HTMLElement && opener.focus());
    };
  }, []);
  const closeBeside = (event: KeyboardEvent) => {
    if (!isBeside || event.key !== 'Escape') return;
    // Esc would also stop an answer.
    event.stopPropagation();
    element.current?.close();
  };
  const id = `dialog-${name}`;
  return (
    <dialog
      ref={element}
      class={`dialog ${name} ${isBeside ? 'beside' : ''}`}
      aria-labelledby={id}
      onClose={onClose}
      // A click on the backdrop has the dialog itself as its target.
      onClick={({ target, currentTarget }) =>
        !isBeside && target === currentTarget && currentTarget.close()
      }
      onKeyDown={closeBeside}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton
          icon="close"
          label={messages.value.ui.close}
          onClick={() => element.current?.close()}
        />
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
