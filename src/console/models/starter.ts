import type { CatalogModel } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

/** Models of the site below this many parameters are for the first minutes. */
const STARTER_PARAMETERS = 300e6;

/** The size that an id names: `135M` of `HuggingFaceTB/SmolLM2-135M-Instruct`. */
function sizeOf(id: string): { size: string; parameters: number } | undefined {
  const [, count, unit] = /(?<![\w.])(\d+(?:\.\d+)?)([MB])(?!\w)/.exec(id) ?? [];
  if (count === undefined) return undefined;
  return { size: `${count}${unit}`, parameters: Number(count) * (unit === 'M' ? 1e6 : 1e9) };
}

/** `Starter, 135M` for a small model that comes with the site; undefined for any other model. */
export function starterName(model: CatalogModel | undefined): string | undefined {
  const found = model?.embedded ? sizeOf(model.id) : undefined;
  if (!found || found.parameters > STARTER_PARAMETERS) return undefined;
  return fill(messages.value.models.best.starter, { size: found.size });
}
