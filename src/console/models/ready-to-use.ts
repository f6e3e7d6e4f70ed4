import type { CatalogModel } from '../../index.ts';

/** Can be used without a question about gigabytes. */
export function isAtHand({ state, embedded }: CatalogModel): boolean {
  return embedded || state === 'installed' || state === 'loaded';
}
