import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

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

interface CheckboxProps {
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  /** What it is called. */
  children: ComponentChildren;
}

/** A checkbox, with its name beside it. */
export function Checkbox({ checked, disabled = false, onChange, children }: CheckboxProps): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
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

/** A field for a number, which may be empty. A number that it does not take is said below it, and not used. */
export function NumberField({ name, note, value, onChange, ...limits }: NumberProps): VNode {
  const problem = useSignal('');
  const said = problem.value || note;
  return (
    <Field name={name} {...(said !== undefined && { note: said })}>
      <input
        class="field"
        type="number"
        {...limits}
        aria-invalid={problem.value !== ''}
        defaultValue={value ?? ''}
        onChange={({ currentTarget }) => {
          const { value: text, valueAsNumber, validity } = currentTarget;
          problem.value = problemOf(validity, limits);
          if (problem.value !== '') return;
          onChange(text === '' ? undefined : valueAsNumber);
        }}
      />
    </Field>
  );
}

function problemOf(
  validity: ValidityState,
  { min, max }: Pick<NumberProps, 'min' | 'max'>,
): string {
  if (validity.valid) return '';
  const text = messages.value.ui.numbers;
  if (validity.rangeUnderflow && min !== undefined) return fill(text.tooSmall, { min });
  if (validity.rangeOverflow && max !== undefined) return fill(text.tooLarge, { max });
  return text.notTaken;
}
