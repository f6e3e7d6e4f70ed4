import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

interface FoldedProps {
  class: string;
  summary: string;
  /** Whether it is unfolded at first. */
  isOpen?: boolean;
  /** Draws what is folded away. */
  children: () => ComponentChildren;
}

/** A part of the page that is drawn only while it is unfolded, because it is large. */
export function Folded({
  class: name,
  summary,
  isOpen = false,
  children: draw,
}: FoldedProps): VNode {
  const isUnfolded = useSignal(isOpen);
  return (
    <details
      class={name}
      open={isOpen}
      onToggle={({ currentTarget }) => (isUnfolded.value = currentTarget.open)}
    >
      <summary>{summary}</summary>
      {isUnfolded.value && draw()}
    </details>
  );
}
