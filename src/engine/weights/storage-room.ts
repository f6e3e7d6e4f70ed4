import type { CatalogStore } from '../../core/stores/catalog-store.ts';
import type { Installation } from '../../core/stores/catalog-entry.ts';
import { ApiError, serverError } from '../../core/protocol/errors.ts';
import { storedBytes, totalBytes } from '../../core/stores/installation-progress.ts';
import type { WeightReader } from '../../core/stores/weight-reader.ts';

/**
 * How much more, by its own account, this browser lets the site store, bytes; undefined where it does not tell. What it
 * tells is no promise: Chromium says 10 GB, whatever the disk has.
 */
export async function freeBytes(): Promise<number | undefined> {
  // Older Safaris have no estimate().
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  const { quota, usage } = (await storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? undefined : quota - usage;
}

interface Parts {
  catalog: CatalogStore;
  weights: WeightReader;
  /** Removes an installed model. */
  remove: (model: string) => Promise<void>;
}

/** Room for downloads, made by models that may go, those first that were not used for longest. */
export class StorageRoom {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Better no download at all than one that cannot end.
   *
   * @param but - models that may not go; undefined: none may
   * @throws ApiError 500 storage_full
   */
  async check(
    model: string,
    installation: Installation,
    but: ReadonlySet<string> | undefined,
  ): Promise<void> {
    const needed = await this.#needed(model, installation);
    const free = await freeBytes();
    if (free === undefined || free >= needed) return;
    const evictions = chooseEvictions(await this.#evictable(model, but), needed - free);
    if (!evictions) throw noRoom(needed, free);
    for (const { id } of evictions) await this.#parts.remove(id);
  }

  /**
   * Downloads; where the disk is full after all, goes on once when as much was removed as is missing.
   *
   * @param but - as in `check`
   * @throws ApiError 500 storage_full
   */
  async make(
    model: string,
    installation: Installation,
    but: ReadonlySet<string> | undefined,
    download: () => Promise<void>,
  ): Promise<void> {
    try {
      await download();
    } catch (error) {
      if (!(error instanceof ApiError && error.data.code === 'storage_full')) throw error;
      const needed = await this.#needed(model, installation);
      const evictions = chooseEvictions(await this.#evictable(model, but), needed);
      if (!evictions?.length) throw error;
      for (const { id } of evictions) await this.#parts.remove(id);
      await download();
    }
  }

  async #needed(model: string, installation: Installation): Promise<number> {
    const stored = await storedBytes(model, installation, this.#parts.weights);
    return Math.max(0, totalBytes(installation.files) - stored);
  }

  async #evictable(model: string, but: ReadonlySet<string> | undefined): Promise<Evictable[]> {
    if (!but) return [];
    const { catalog } = this.#parts;
    const uses = await catalog.uses();
    const installed = (await catalog.list()).filter((entry) => entry.installed);
    return installed
      .filter(({ id }) => id !== model && !but.has(id))
      .map(({ id, bytes = 0 }) => ({ id, bytes, lastUsed: uses.get(id) ?? 0 }));
  }
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
