import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CatalogModel, KeyInfo } from '../../index.ts';
import { isReadyToUse } from '../models/ready-to-use.ts';
import { Field } from '../ui/fields.tsx';

interface NewKeyProps {
  models: readonly CatalogModel[];
  onCreate: (options: Partial<KeyInfo>) => void;
}

/** The form that creates a key. */
export function NewKey({ models, onCreate }: NewKeyProps): VNode {
  const label = useSignal('');
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const mayManage = useSignal(false);
  const submit = (event: Event) => {
    event.preventDefault();
    onCreate({
      label: label.value.trim(),
      ...(chosen.value.size > 0 && { models: [...chosen.value] }),
      ...(mayManage.value && { manageModels: true }),
    });
    label.value = '';
  };
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(chosen.value);
    if (isChosen) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  return (
    <form class="card" aria-label="Create a key" onSubmit={submit}>
      <Field name="Label" note="What the key is for.">
        <input
          class="field"
          value={label.value}
          onInput={({ currentTarget }) => (label.value = currentTarget.value)}
        />
      </Field>
      <fieldset>
        <legend>Models</legend>
        <p class="note">None chosen: the key may use all.</p>
        {models.filter(isReadyToUse).map(({ id }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.value.has(id)}
              onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
            />
            {id}
          </label>
        ))}
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={mayManage.value}
          onChange={({ currentTarget }) => (mayManage.value = currentTarget.checked)}
        />
        May install, load and remove models
      </label>
      <div class="button-row">
        <button class="button primary" type="submit">
          Create key
        </button>
      </div>
    </form>
  );
}
