import { signal } from '@preact/signals';

/** Bodies that were written but not sent yet, by the path of their endpoint. */
export const drafts = signal<ReadonlyMap<string, string>>(new Map());
