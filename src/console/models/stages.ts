import type { CatalogModel, Progress } from '../../index.ts';

/** What the colour of a model's dot means, in words. */
export const STAGE_NAMES: Record<Progress['stage'], string> = {
  download: 'downloading',
  paused: 'paused',
  installed: 'not loaded',
  load: 'loading',
  ready: 'ready',
  unloaded: 'not loaded',
  failed: 'failed',
};

export const GROUPS: { states: CatalogModel['state'][]; title: string }[] = [
  { states: ['installed', 'loaded'], title: 'In this browser' },
  { states: ['embedded'], title: 'Comes with this page' },
  { states: ['downloading', 'paused'], title: 'Downloads' },
  { states: ['available'], title: 'From the model hub' },
];

export function needsDownload({ state }: CatalogModel): boolean {
  return state === 'available' || state === 'downloading' || state === 'paused';
}

/** Whether there is something of it to delete. */
export function isStored({ state }: Pick<CatalogModel, 'state'>): boolean {
  return state !== 'available' && state !== 'embedded';
}
