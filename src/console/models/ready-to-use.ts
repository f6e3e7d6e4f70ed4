import type { CatalogModel } from '../../index.ts';

/** Whether a model can be used without asking the user about a large download first. */
export function isReadyToUse({ state, embedded }: CatalogModel): boolean {
  return embedded || state === 'installed' || state === 'loaded';
}
