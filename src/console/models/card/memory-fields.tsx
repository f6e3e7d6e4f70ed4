import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../../app/session.ts';
import type { CatalogModel } from '../../../index.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { Field, NumberField } from '../../ui/fields.tsx';

const TYPES = ['f16', 'q8_0'] as const;

interface FieldsProps {
  session: Session;
  model: CatalogModel;
}

/** Whether a model is there to be loaded with another context. */
export function canBeReloaded({ task, state }: CatalogModel): boolean {
  return task === 'chat' && (state === 'installed' || state === 'loaded');
}

/** The length of a model's context and the type of its KV cache, with which it is loaded from then on. */
export function MemoryFields({ session: { v1, shelf }, model }: FieldsProps): VNode {
  const { id, contextLength, kvCacheType } = model;
  const { memory: text, facts, tokens } = messages.value.models;
  const length = useSignal(contextLength);
  const type = useSignal(kvCacheType);
  const status = useSignal('');
  const isLoading = useSignal(false);
  if (kvCacheType === undefined) return <p class="note">{text.fixed}</p>;
  const load = async () => {
    isLoading.value = true;
    status.value = '';
    try {
      await v1.models.load(id, {
        ...(length.value !== undefined && { contextLength: length.value }),
        ...(type.value && { kvCacheType: type.value }),
      });
      await shelf.refresh();
      const { contextLength: count = 0, kvCacheType: loaded = '' } = shelf.find(id) ?? {};
      status.value = fill(text.loaded, { context: fill(tokens, { count }), type: loaded });
    } catch (error) {
      status.value = messageOf(error);
    } finally {
      isLoading.value = false;
    }
  };
  return (
    <fieldset class="labelled memory-fields">
      <legend>{text.title}</legend>
      <NumberField
        name={text.context}
        note={text.contextNote}
        value={length.value}
        min={1}
        step={1}
        onChange={(value) => (length.value = value)}
      />
      <Field name={facts.kvCache} note={text.kvCacheNote}>
        <select
          class="field"
          value={type.value}
          onChange={({ currentTarget: { value } }) =>
            (type.value = TYPES.find((each) => each === value) ?? type.value)
          }
        >
          {TYPES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </Field>
      <div class="button-row">
        <TextButton disabled={isLoading.value} onClick={() => void load()}>
          {text.load}
        </TextButton>
      </div>
      <p class="note" role="status">
        {status}
      </p>
    </fieldset>
  );
}
