import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../ui/buttons.tsx';
import { hasTouchKeyboard } from '../ui/touch.ts';

interface ComposerProps {
  /** Whether there is a model to send to. */
  isAvailable: boolean;
  isAnswering: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Controls beside the send button. */
  children: ComponentChildren;
}

/** The text field with its buttons. Enter sends, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps): VNode {
  const { isAvailable, isAnswering, onSend, onStop, children } = props;
  const text = useSignal('');
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // When the pressed button disappears (Send, Retry, a suggestion), the focus falls back to the body.
    const { activeElement, body } = document;
    const hasLostFocus = activeElement === body || form.current?.contains(activeElement);
    // On touch screens, the keyboard would cover the answer.
    if (hasLostFocus && !hasTouchKeyboard()) input.current?.focus({ preventScroll: true });
  }, [isAnswering]);
  useEffect(() => fitHeight(input.current), [text.value]);
  const isEmpty = text.value.trim() === '';
  const submit = () => {
    if (isEmpty || !isAvailable || isAnswering) return;
    onSend(text.value.trim());
    text.value = '';
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter also confirms a character of an input method. On a touch keyboard it is the only new line.
    if (event.shiftKey || event.isComposing || hasTouchKeyboard()) return;
    event.preventDefault();
    submit();
  };
  return (
    <form class="composer" ref={form} onSubmit={(event) => event.preventDefault()}>
      <textarea
        ref={input}
        rows={1}
        placeholder="Ask something"
        aria-label="Your message"
        enterkeyhint={hasTouchKeyboard() ? 'enter' : 'send'}
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="composer-row">
        {children}
        <span class="spacer" />
        {isAnswering ? (
          <IconButton
            icon="stop"
            label="Stop (Esc)"
            class="icon-button send stop"
            onClick={onStop}
          />
        ) : (
          <IconButton
            icon="arrowUp"
            label="Send (Enter)"
            class="icon-button send"
            disabled={isEmpty || !isAvailable}
            onClick={submit}
          />
        )}
      </div>
    </form>
  );
}

function fitHeight(input: HTMLTextAreaElement | null): void {
  if (!input) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}
