import type { VNode } from 'preact';
import type { CatalogModel } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { Field } from '../ui/fields.tsx';
import { draftValues } from './drafts.ts';
import { nameOf, pathNames, type Endpoint } from './endpoints.ts';

interface ValueFieldsProps {
  endpoint: Endpoint;
  values: Readonly<Record<string, string>>;
  models: readonly CatalogModel[];
}

/** Fields for the values of the endpoint's path and query. Those of the path are required. */
export function ValueFields({ endpoint, values, models }: ValueFieldsProps): VNode {
  const { optional } = messages.value.playground;
  const needed = pathNames(endpoint);
  return (
    <>
      {[...needed, ...(endpoint.query ?? [])].map((name) => (
        <Field key={name} name={name} {...(!needed.includes(name) && { note: optional })}>
          <input
            class="field mono"
            type="text"
            autocomplete="off"
            spellcheck={false}
            required={needed.includes(name)}
            list={name === 'model' ? 'playground-models' : undefined}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) =>
              draftValues(nameOf(endpoint), { ...values, [name]: currentTarget.value.trim() })
            }
          />
        </Field>
      ))}
      <datalist id="playground-models">
        {models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
}
