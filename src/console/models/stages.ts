import type { CatalogModel } from '../../index.ts';

interface Group {
  states: CatalogModel['state'][];
  name: 'installed' | 'embedded' | 'downloading' | 'available';
}

export const GROUPS: Group[] = [
  { states: ['installed', 'loaded'], name: 'installed' },
  { states: ['embedded'], name: 'embedded' },
  { states: ['downloading', 'paused'], name: 'downloading' },
  { states: ['available'], name: 'available' },
];

export function needsDownload({ state }: CatalogModel): boolean {
  return state === 'available' || state === 'downloading' || state === 'paused';
}

/** Whether the model has stored files that can be deleted. */
export function isStored({ state }: Pick<CatalogModel, 'state'>): boolean {
  return state !== 'available' && state !== 'embedded';
}

/** Whether a model can be used without asking the user about a large download first. */
export function isReadyToUse({ state, embedded }: CatalogModel): boolean {
  return embedded || state === 'installed' || state === 'loaded';
}
