import { serverError } from '../core/errors.ts';

/**
 * How much more this browser lets the site store, bytes; undefined where it does not tell. What it
 * tells is a promise that a full disk may break.
 */
export async function freeBytes(): Promise<number | undefined> {
  // Older Safaris have no estimate().
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  const { quota, usage } = (await storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? undefined : quota - usage;
}

/** An installed model that could make room. */
export interface Evictable {
  id: string;
  bytes: number;
  /** Unix milliseconds; 0: never. */
  lastUsed: number;
}

/**
 * Which models to remove, those first that were not used for longest, so that there is room.
 *
 * @param needed - bytes beyond those that are free
 * @returns undefined where even all of them would not do
 */
export function chooseEvictions(models: Evictable[], needed: number): Evictable[] | undefined {
  const chosen: Evictable[] = [];
  let freed = 0;
  for (const model of models.toSorted((a, b) => a.lastUsed - b.lastUsed)) {
    if (freed >= needed) break;
    chosen.push(model);
    freed += model.bytes;
  }
  return freed >= needed ? chosen : undefined;
}

export function noRoom(needed: number, free: number) {
  return serverError(
    'storage_full',
    `The model needs ${megabytes(needed)} of storage, but this browser gives only ` +
      `${megabytes(free)} more. Remove a model or free disk space.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
