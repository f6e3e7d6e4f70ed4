import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { Field } from '../../ui/fields.tsx';
import { offerUndo } from '../../ui/undo.tsx';
import { savedPrompts, type SavedPrompt } from './prompts.ts';

/** A function that is the same at each drawing, because Preact calls a new one again. */
function focus(input: HTMLElement | null): void {
  input?.focus();
}

/** Saves texts for messages, changes them, and deletes them. */
export function PromptFields({ isOpen }: { isOpen: boolean }): VNode {
  const { prompts: words, presets } = messages.value.chat;
  const name = useSignal('');
  const text = useSignal('');
  const isEmpty = name.value.trim() === '' || text.value.trim() === '';
  const save = (event: Event) => {
    event.preventDefault();
    if (isEmpty) return;
    savedPrompts.save({ name: name.value.trim(), text: text.value.trim() });
    name.value = '';
    text.value = '';
  };
  const edit = (prompt: SavedPrompt) => {
    name.value = prompt.name;
    text.value = prompt.text;
  };
  const remove = (prompt: SavedPrompt) => {
    savedPrompts.delete(prompt);
    offerUndo(fill(presets.deleted, { name: prompt.name }), () => savedPrompts.save(prompt));
  };
  return (
    <details class="servers" open={isOpen}>
      <summary>{words.title}</summary>
      <p class="note">{fill(words.lead, { example: '{{…}}' })}</p>
      {savedPrompts.value.map((prompt) => (
        <div class="prompt-row" key={prompt.name}>
          <span>
            {prompt.name}
            <small>{prompt.text}</small>
          </span>
          <IconButton
            icon="pencil"
            label={fill(words.edit, { name: prompt.name })}
            onClick={() => edit(prompt)}
          />
          <IconButton
            icon="trash"
            label={fill(words.delete, { name: prompt.name })}
            onClick={() => remove(prompt)}
          />
        </div>
      ))}
      <form onSubmit={save}>
        <Field name={words.name}>
          <input
            class="field"
            ref={isOpen ? focus : null}
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        </Field>
        <Field name={words.text}>
          <textarea
            dir="auto"
            class="field"
            rows={3}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </Field>
        <div class="button-row">
          <button class="button" type="submit" disabled={isEmpty}>
            {words.save}
          </button>
        </div>
      </form>
    </details>
  );
}
