import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { describeDictation, DictateButton } from '../dictation/dictate-button.tsx';
import type { Dictation } from '../dictation/dictation.ts';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { AttachButton } from './attachments/attach-button.tsx';
import { AttachmentList, ReadingFiles } from './attachments/attachment-list.tsx';
import { DraftSizeView } from './attachments/draft-size-view.tsx';
import type { Size } from './attachments/draft-size.ts';
import type { Draft } from './attachments/draft.ts';
import type { Preset } from './presets/presets.ts';
import { SlashList } from './presets/slash-list.tsx';

/** Id of the text field. */
export const MESSAGE = 'message';

interface ComposerProps {
  /** Whether there is a model to send to. */
  isAvailable: boolean;
  isAnswering: boolean;
  draft: Draft;
  /** How much of the context the attachments take; null: unknown. */
  size: Size | null;
  /** Why the draft cannot be sent; empty: it can. */
  obstacle: string;
  /** What the user should know of the draft; empty: nothing. */
  hint: string;
  dictation: Dictation;
  /** Id of the transcription model; undefined: there is none. */
  transcriber: string | undefined;
  onSend: (text: string) => void;
  onStop: () => void;
  onPreset: (preset: Preset) => void;
  /** Offers to save a prompt. */
  onNewPrompt: () => void;
  /** Controls beside the send button. */
  children: ComponentChildren;
}

/** The text field with its buttons. Enter sends, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps): VNode {
  const {
    isAvailable,
    isAnswering,
    draft,
    size,
    obstacle,
    hint,
    dictation,
    transcriber,
    onSend,
    onStop,
    onPreset,
    onNewPrompt,
    children,
  } = props;
  const words = messages.value.chat;
  const { text } = draft;
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // When the pressed button disappears (Send, Retry, a suggestion), the focus falls back to the body.
    const { activeElement, body } = document;
    const hasLostFocus = activeElement === body || form.current?.contains(activeElement);
    if (hasLostFocus) focusMessage();
  }, [isAnswering]);
  useEffect(() => fitHeight(input.current), [text.value]);
  const isEmpty = text.value.trim() === '' && draft.attachments.value.length === 0;
  const isReady = !isEmpty && isAvailable && obstacle === '' && draft.reading.value.length === 0;
  const attach = useCallback(
    (files: readonly File[]) => {
      void draft.add(files);
      focusMessage();
    },
    [draft],
  );
  const dictate = (piece: string) => {
    text.value = joined(text.value, piece);
    focusMessage();
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  };
  const submit = () => {
    if (!isReady || isAnswering) return;
    onSend(text.value.trim());
    text.value = '';
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter also confirms a character of an input method. On a touch keyboard, only Enter starts a new line.
    if (event.shiftKey || event.isComposing || hasTouchKeyboard()) return;
    event.preventDefault();
    submit();
  };
  const choose = (preset: Preset) => {
    onPreset(preset);
    text.value = '';
  };
  return (
    <form class="composer" ref={form} onSubmit={(event) => event.preventDefault()}>
      <AttachmentList
        attachments={draft.attachments.value}
        {...(size && { tokens: size.files })}
        onRemove={(id) => draft.remove(id)}
      />
      <ReadingFiles files={draft.reading.value} />
      <DraftSizeView size={size} />
      {hint !== '' && <p class="note draft-hint">{hint}</p>}
      <p class="dictation" role="status">
        {describeDictation(dictation.state.value)}
      </p>
      <p class="draft-problem" role="status">
        {draft.problem.value || obstacle}
      </p>
      {/^\/[^\n]*$/.test(text.value) && (
        <SlashList
          typed={text.value}
          input={input}
          onPreset={choose}
          onText={(inserted) => (text.value = inserted)}
          onNewPrompt={() => {
            text.value = '';
            onNewPrompt();
          }}
        />
      )}
      <textarea
        dir="auto"
        id={MESSAGE}
        ref={input}
        rows={1}
        placeholder={words.placeholder}
        aria-label={words.message}
        enterkeyhint={hasTouchKeyboard() ? 'enter' : 'send'}
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={onKey}
        onPaste={paste}
      />
      <div class="composer-row">
        {children}
        <AttachButton
          onAttach={attach}
          onFolder={(name, files) => void draft.addFolder(name, files)}
        />
        {transcriber !== undefined && (
          <DictateButton dictation={dictation} model={transcriber} onText={dictate} />
        )}
        <span class="spacer" />
        {isAnswering ? (
          <IconButton
            icon="stop"
            label={words.stop}
            class="icon-button send stop"
            onClick={onStop}
          />
        ) : (
          <IconButton
            icon="arrowUp"
            label={words.send}
            class="icon-button send"
            disabled={!isReady}
            onClick={submit}
          />
        )}
      </div>
    </form>
  );
}

/** Appends dictated text. It begins with a space, which is needed only after a word. */
function joined(text: string, piece: string): string {
  return text === '' || /\s$/.test(text) ? text + piece.trimStart() : text + piece;
}

function fitHeight(input: HTMLTextAreaElement | null): void {
  if (!input) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}

/** Lets the user go on writing. On touch screens, the keyboard would cover the chat. */
export function focusMessage(): void {
  if (!hasTouchKeyboard()) document.getElementById(MESSAGE)?.focus({ preventScroll: true });
}

/** Whether a text field that gets the focus opens an on-screen keyboard. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
