import type { VNode } from 'preact';
import { formatNumber } from '../../ui/format.ts';
import type { Size } from './draft-size.ts';

/** Whether the model's context holds the conversation with the files. */
export function DraftSizeView({ size }: { size: Size | null }): VNode {
  return (
    <p class="draft-size" role="status" data-fits={size === null || fits(size)}>
      {size && describe(size)}
    </p>
  );
}

function fits({ total, context }: Size): boolean {
  return total < context;
}

function describe(size: Size): string {
  const { total } = size;
  const context = formatNumber(size.context);
  if (total === Infinity) {
    return `Far too long: the model holds only ${context} tokens. Remove a file, or choose a model with a longer context.`;
  }
  const whole = formatNumber(total);
  return fits(size)
    ? `It fits: the chat with these files has ${whole} of the ${context} tokens that the model holds.`
    : `Too long: the chat with these files has ${whole} tokens, and the model holds ${context}. Remove a file, or choose a model with a longer context.`;
}
