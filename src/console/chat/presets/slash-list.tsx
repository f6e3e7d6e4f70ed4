import { useSignal } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { presets, type Preset } from './presets.ts';
import { placeToFill, savedPrompts } from './prompts.ts';

/** More would not fit above the text field. */
const MOST = 8;
const LIST = 'slash-list';

interface SlashProps {
  /** What has been typed: a slash, and the beginning of a word of a preset's name. */
  typed: string;
  input: RefObject<HTMLTextAreaElement | null>;
  onPreset: (preset: Preset) => void;
  /** Gets what is in the text field instead of what has been typed. */
  onText: (text: string) => void;
  /** Offers to save a prompt. */
  onNewPrompt: () => void;
}

interface Choice {
  name: string;
  /** What it puts into the message; undefined: nothing. */
  text?: string;
  choose: () => void;
}

/**
 * The presets and saved prompts whose names have what follows the slash, and an offer to save a prompt. The focus stays in
 * the text field, whose keys choose.
 */
export function SlashList(props: SlashProps): VNode | null {
  const { typed, input } = props;
  const chosen = useSignal(0);
  const dismissed = useSignal('');
  const wanted = typed.slice(1).trim().toLowerCase();
  const found =
    dismissed.value === typed
      ? []
      : choicesOf(props)
          .filter(({ name }) => name.toLowerCase().includes(wanted))
          .slice(0, MOST);
  const at = Math.min(chosen.value, found.length - 1);
  // Before the next key: a quick Enter would send the slash.
  useLayoutEffect(() => {
    const field = input.current;
    if (!field || at < 0) return undefined;
    const ending = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.shiftKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const choice = found[at];
      if (step !== undefined) chosen.value = (at + step + found.length) % found.length;
      else if ((event.key === 'Enter' || event.key === 'Tab') && choice) choice.choose();
      else if (event.key === 'Escape') dismissed.value = typed;
      else return;
      event.preventDefault();
      // Enter would also send what is typed, and Esc stop an answer.
      event.stopImmediatePropagation();
    };
    field.addEventListener('keydown', onKey, { capture: true, signal: ending.signal });
    const attributes = {
      'aria-autocomplete': 'list',
      'aria-controls': LIST,
      'aria-activedescendant': optionId(at),
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    return () => {
      ending.abort();
      for (const name of Object.keys(attributes)) field.removeAttribute(name);
    };
  });
  if (at < 0) return null;
  return (
    <ul class="slash-list" id={LIST} role="listbox" aria-label={messages.value.chat.presets.choose}>
      {found.map(({ name, text, choose }, index) => (
        <li
          key={index}
          id={optionId(index)}
          role="option"
          aria-selected={index === at}
          // The text field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          {name}
          {text !== undefined && <small dir="auto">{text}</small>}
        </li>
      ))}
    </ul>
  );
}

function choicesOf({ input, onPreset, onText, onNewPrompt }: SlashProps): Choice[] {
  const insert = (text: string) => {
    const field = input.current;
    if (!field) return;
    // The field has the text before its part is selected.
    field.value = text;
    const { start, end } = placeToFill(text);
    field.setSelectionRange(start, end);
    onText(text);
  };
  return [
    ...presets.value.map((preset) => ({ name: preset.name, choose: () => onPreset(preset) })),
    ...savedPrompts.value.map(({ name, text }) => ({ name, text, choose: () => insert(text) })),
    { name: messages.value.chat.prompts.new, choose: onNewPrompt },
  ];
}

function optionId(index: number): string {
  return `${LIST}-${index}`;
}
