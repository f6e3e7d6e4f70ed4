import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatNumber } from '../../ui/format.ts';
import type { Size } from './draft-size.ts';

/** Says whether the conversation with its files fits into the model's context. */
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
  const text = messages.value.attachments;
  const context = formatNumber(size.context);
  if (total === Infinity) return fill(text.farTooLong, { context });
  const whole = formatNumber(total);
  return fits(size) ? fill(text.fits, { whole, context }) : fill(text.tooLong, { whole, context });
}
