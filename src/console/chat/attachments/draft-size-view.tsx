import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatNumber } from '../../ui/format.ts';
import { tooLong, type Size } from './draft-size.ts';

/** Says whether the conversation with its files fits into the model's context. */
export function DraftSizeView({ size }: { size: Size | null }): VNode {
  return (
    <p class="draft-size" role="status" data-fits={size === null || !tooLong(size)}>
      {size && describe(size)}
    </p>
  );
}

function describe(size: Size): string {
  const { total } = size;
  const text = messages.value.attachments;
  const context = formatNumber(size.context);
  if (total === Infinity) return fill(text.farTooLong, { context });
  const whole = formatNumber(total);
  return fill(tooLong(size) ? text.tooLong : text.fits, { whole, context });
}
