import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { Checkbox, Field } from '../../ui/fields.tsx';
import { offerUndo } from '../../ui/undo.tsx';
import type { ChatSettings } from '../conversation/conversation.ts';
import { presetOf, presets, setPresetForNew, type Preset } from './presets.ts';

interface PresetProps {
  settings: ChatSettings;
  /** Id of the chosen model. */
  model: string;
  onApply: (preset: Preset) => void;
}

/** Chooses a preset for the chat, saves the chat's settings as one, and deletes it. */
export function PresetFields({ settings, model, onApply }: PresetProps): VNode {
  const text = messages.value.chat.presets;
  const name = useSignal('');
  const current = presetOf(settings);
  const save = (event: Event) => {
    event.preventDefault();
    const given = name.value.trim();
    if (given === '') return;
    presets.save({ name: given, model, settings });
    name.value = '';
  };
  const remove = (preset: Preset) => {
    presets.delete(preset);
    offerUndo(fill(text.deleted, { name: preset.name }), () => presets.save(preset));
  };
  return (
    <section class="presets">
      {presets.value.length > 0 && (
        <Field name={text.preset}>
          <select
            class="field"
            value={current?.name ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const chosen = presets.value.find((preset) => preset.name === value);
              if (chosen) onApply(chosen);
            }}
          >
            <option value="" disabled>
              {text.own}
            </option>
            {presets.value.map((preset) => (
              <option key={preset.name} value={preset.name}>
                {preset.name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {current ? (
        <div class="preset-row">
          <Checkbox
            checked={current.isForNew === true}
            onChange={(checked) => setPresetForNew(checked ? current : undefined)}
          >
            {text.forNew}
          </Checkbox>
          <TextButton class="button danger" onClick={() => remove(current)}>
            {text.delete}
          </TextButton>
        </div>
      ) : (
        <form class="preset-row" onSubmit={save}>
          <input
            class="field"
            aria-label={text.name}
            placeholder={text.name}
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
          <button class="button" type="submit" disabled={name.value.trim() === ''}>
            {text.save}
          </button>
        </form>
      )}
    </section>
  );
}
