import type { CatalogEntry } from './catalog-entry.ts';
import { canRun, type Device } from './device-fit.ts';
import type { Variant } from './variant.ts';

/**
 * The variant of a model that a device uses: of those that it can run, an installed one, else the
 * first. If it can run none, all of them count, so that its obstacles can be shown.
 *
 * @param device - `{}` if it is not known: what is unknown is no obstacle
 */
export function chooseVariant({ id, variants }: CatalogEntry, device: Device): Variant {
  const runnable = variants.filter((variant) => canRun(variant, device));
  const candidates = runnable.length > 0 ? runnable : variants;
  const chosen = candidates.find(({ installed }) => installed) ?? candidates[0];
  if (!chosen) throw new Error(`The catalog has no variant of '${id}'.`);
  return chosen;
}
