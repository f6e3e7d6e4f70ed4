import type { ComponentChildren, VNode } from 'preact';

/** A control with its name above it, and a note below it. */
export function Field({
  name,
  note,
  children,
}: {
  name: string;
  note?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <label class="labelled">
      <span>{name}</span>
      {children}
      {note !== undefined && <small>{note}</small>}
    </label>
  );
}

interface NumberProps {
  name: string;
  note?: string;
  value: number | undefined;
  min?: number;
  max?: number;
  step?: number;
  onChange: (value: number | undefined) => void;
}

/** A field for a number, which may be empty. */
export function NumberField({ name, note, value, onChange, ...limits }: NumberProps): VNode {
  return (
    <Field name={name} {...(note !== undefined && { note })}>
      <input
        class="field"
        type="number"
        {...limits}
        defaultValue={value ?? ''}
        onChange={({ currentTarget }) => {
          const { value: text, valueAsNumber, validity } = currentTarget;
          if (text === '') onChange(undefined);
          else if (validity.valid) onChange(valueAsNumber);
          else currentTarget.reportValidity();
        }}
      />
    </Field>
  );
}
