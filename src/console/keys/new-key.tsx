import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CatalogModel, Endpoint, KeyOptions } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { isReadyToUse } from '../models/stages.ts';
import { Checkbox, Field, NumberField } from '../ui/fields.tsx';
import { ENDPOINTS } from '../../core/keys/endpoints.ts';

interface NewKeyProps {
  models: readonly CatalogModel[];
  onCreate: (options: KeyOptions) => void;
}

const DAY_MS = 86_400_000;

/** How long a key is valid, days; 0: until it is revoked. */
const LIVES = [
  { days: 0, name: 'forever' },
  { days: 1, name: 'day' },
  { days: 7, name: 'week' },
  { days: 30, name: 'month' },
  { days: 365, name: 'year' },
] as const;

/** The form that creates a key. */
export function NewKey({ models, onCreate }: NewKeyProps): VNode {
  const text = messages.value.keys.form;
  const label = useSignal('');
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const endpoints = useSignal<readonly Endpoint[]>([]);
  const budget = useSignal<number | undefined>(undefined);
  const days = useSignal(0);
  const mayDownload = useSignal(false);
  const mayManage = useSignal(false);
  const submit = (event: Event) => {
    event.preventDefault();
    onCreate({
      label: label.value.trim(),
      ...(chosen.value.size > 0 && { models: [...chosen.value] }),
      ...(endpoints.value.length > 0 && { endpoints: [...endpoints.value] }),
      ...(budget.value !== undefined && { tokensPerDay: budget.value }),
      ...(days.value > 0 && { expiresAt: Date.now() + days.value * DAY_MS }),
      ...(mayDownload.value && { autoInstall: true }),
      ...(mayManage.value && { manageModels: true }),
    });
  };
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(chosen.value);
    if (isChosen) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  return (
    <form class="card" aria-label={text.title} onSubmit={submit}>
      <Field name={text.label} note={text.labelNote}>
        <input
          class="field"
          value={label.value}
          onInput={({ currentTarget }) => (label.value = currentTarget.value)}
        />
      </Field>
      <fieldset>
        <legend>{text.models}</legend>
        <p class="note">{text.noneChosen}</p>
        {models.filter(isReadyToUse).map(({ id }) => (
          <Checkbox
            key={id}
            checked={chosen.value.has(id)}
            onChange={(checked) => toggle(id, checked)}
          >
            {id}
          </Checkbox>
        ))}
      </fieldset>
      <details class="card-details">
        <summary>{text.endpoints}</summary>
        <fieldset>
          <legend class="visually-hidden">{text.endpoints}</legend>
          <p class="note">{text.noneChosen}</p>
          {ENDPOINTS.map((path) => (
            <Checkbox
              key={path}
              checked={endpoints.value.includes(path)}
              onChange={(checked) => {
                const others = endpoints.value.filter((each) => each !== path);
                endpoints.value = checked ? [...others, path] : others;
              }}
            >
              {path}
            </Checkbox>
          ))}
        </fieldset>
      </details>
      <div class="field-grid">
        <NumberField
          name={text.tokensPerDay}
          note={text.tokensNote}
          value={budget.value}
          min={1}
          step={1}
          onChange={(value) => (budget.value = value)}
        />
        <Field name={text.valid}>
          <select
            class="field"
            value={days.value}
            onChange={({ currentTarget }) => (days.value = Number(currentTarget.value))}
          >
            {LIVES.map((life) => (
              <option key={life.days} value={life.days}>
                {text[life.name]}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <div>
        <Checkbox checked={mayDownload.value} onChange={(checked) => (mayDownload.value = checked)}>
          {text.downloads}
        </Checkbox>
        <Checkbox checked={mayManage.value} onChange={(checked) => (mayManage.value = checked)}>
          {text.manages}
        </Checkbox>
      </div>
      <div class="button-row">
        <button class="button primary" type="submit">
          {text.create}
        </button>
      </div>
    </form>
  );
}
