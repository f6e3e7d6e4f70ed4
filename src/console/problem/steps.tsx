import type { ComponentChildren, VNode } from 'preact';

/** What to do, as a list. Text between backticks becomes code. */
export function StepList({ steps }: { steps: readonly string[] }): VNode {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step}>{withCode(step)}</li>
      ))}
    </ol>
  );
}

function withCode(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
