import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { IconButton, TextButton } from './buttons.tsx';

interface Undoable {
  /** What has been done, e.g. `Deleted: Hello`. */
  text: string;
  undo: () => void;
}

const undoable = signal<Undoable | null>(null);

/** Says what has been done, with a button that undoes it, until the user closes it or something else is done. */
export function offerUndo(text: string, undo: () => void): void {
  undoable.value = { text, undo };
}

/** Offers no undo any more: what has been done is for good. */
export function forgetUndo(): void {
  undoable.value = null;
}

/** The last thing done that can be undone. */
export function UndoBar(): VNode | null {
  const { value } = undoable;
  const { undo, close } = messages.value.ui;
  const button = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone, and the focus with it.
  useEffect(() => button.current?.focus(), [value]);
  return (
    <div class="undo" role="status">
      {value !== null && (
        <div class="undo-bar" key={value.text}>
          <span>{value.text}</span>
          <TextButton
            ref={button}
            onClick={() => {
              forgetUndo();
              value.undo();
            }}
          >
            {undo}
          </TextButton>
          <IconButton icon="close" label={close} onClick={forgetUndo} />
        </div>
      )}
    </div>
  );
}
