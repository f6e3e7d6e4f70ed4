import { useSignal } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { presets, type Preset } from './presets.ts';

/** More would not fit above the text field. */
const MOST = 8;
const LIST = 'slash-list';

interface SlashProps {
  /** What has been typed: a slash, and the beginning of a word of a preset's name. */
  typed: string;
  input: RefObject<HTMLTextAreaElement | null>;
  onChoose: (preset: Preset) => void;
}

/** The presets whose names have what follows the slash. The focus stays in the text field, whose keys choose. */
export function SlashList({ typed, input, onChoose }: SlashProps): VNode | null {
  const chosen = useSignal(0);
  const dismissed = useSignal('');
  const wanted = typed.slice(1).trim().toLowerCase();
  const found =
    dismissed.value === typed
      ? []
      : presets.value.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST);
  const at = Math.min(chosen.value, found.length - 1);
  useEffect(() => {
    const field = input.current;
    if (!field || at < 0) return undefined;
    const ending = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.shiftKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const preset = found[at];
      if (step !== undefined) chosen.value = (at + step + found.length) % found.length;
      else if ((event.key === 'Enter' || event.key === 'Tab') && preset) onChoose(preset);
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
      {found.map((preset, index) => (
        <li
          key={preset.name}
          id={optionId(index)}
          role="option"
          aria-selected={index === at}
          // The text field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(preset)}
        >
          {preset.name}
        </li>
      ))}
    </ul>
  );
}

function optionId(index: number): string {
  return `${LIST}-${index}`;
}
