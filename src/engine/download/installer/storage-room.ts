import { isInstalled, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import { totalBytes, type Installation } from '../../../core/catalog/variant.ts';
import { ApiError, serverError } from '../../../core/errors/errors.ts';
import { installationProgress } from '../../../core/weights/installation-progress.ts';
import type { WeightReader } from '../../../core/weights/weight-reader.ts';

/**
 * The browser's estimate of how much more the site may store, bytes; undefined if it gives none. It is
 * not a promise: Chromium says 10 GB on any disk.
 */
export async function freeBytes(): Promise<number | undefined> {
  const { quota, usage } = await estimate();
  return quota === undefined || usage === undefined ? undefined : quota - usage;
}

/** Bytes that the browser gives the site, the used ones too; undefined: it does not say. */
export async function quotaBytes(): Promise<number | undefined> {
  return (await estimate()).quota;
}

async function estimate(): Promise<StorageEstimate> {
  // Older Safaris have no estimate(), and WebKitGTK no `storage` at all.
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  return (await storage?.estimate?.()) ?? {};
}

interface StorageRoomOptions {
  catalog: CatalogStore;
  weights: WeightReader;
  /** Removes an installed model. */
  remove: (model: string) => Promise<void>;
}

/** Room for downloads: removes models, the least recently used first. */
export class StorageRoom {
  readonly #options: StorageRoomOptions;

  constructor(options: StorageRoomOptions) {
    this.#options = options;
  }

  /**
   * Makes room before a download begins.
   *
   * @param needed - bytes that are to be downloaded
   * @param keep - models that must not be removed; undefined: remove none
   * @throws ApiError 500 storage_full
   */
  async check(model: string, needed: number, keep: ReadonlySet<string> | undefined): Promise<void> {
    const free = await freeBytes();
    if (free === undefined || free >= needed) return;
    const evictions = chooseEvictions(await this.#evictable(model, keep), needed - free);
    if (!evictions) throw noRoom(needed, free);
    for (const { id } of evictions) await this.#options.remove(id);
  }

  /**
   * Downloads. If the disk turns out to be full, frees the missing bytes and tries once more.
   *
   * @param keep - as in `check`
   * @throws ApiError 500 storage_full
   */
  async make(
    model: string,
    installation: Installation,
    keep: ReadonlySet<string> | undefined,
    download: (isFirst: boolean) => Promise<void>,
  ): Promise<void> {
    try {
      await download(true);
    } catch (error) {
      if (!(error instanceof ApiError && error.data.code === 'storage_full')) throw error;
      const { missingBytes } = await installationProgress(
        model,
        installation,
        this.#options.weights,
      );
      const evictions = chooseEvictions(await this.#evictable(model, keep), missingBytes);
      if (!evictions?.length) throw error;
      for (const { id } of evictions) await this.#options.remove(id);
      await download(false);
    }
  }

  async #evictable(model: string, keep: ReadonlySet<string> | undefined): Promise<Evictable[]> {
    if (!keep) return [];
    const { catalog } = this.#options;
    const uses = await catalog.uses();
    const installed = (await catalog.list()).filter(isInstalled);
    const others = installed.filter(({ id }) => id !== model && !keep.has(id));
    const links = await Promise.all(others.map(({ id }) => this.#options.weights.links(id)));
    return others
      .map((entry, at) => ({
        id: entry.id,
        // What lies outside of the store takes no room in it.
        bytes: installedBytes(entry) - totalBytes(links[at] ?? []),
        lastUsed: uses.get(entry.id) ?? 0,
      }))
      .filter(({ bytes }) => bytes > 0);
  }
}

/** An installed model that may be removed to make room. */
export interface Evictable {
  id: string;
  bytes: number;
  /** Unix milliseconds; 0: never. */
  lastUsed: number;
}

/**
 * Which models to remove to make room, the least recently used first.
 *
 * @param needed - bytes that are missing
 * @returns undefined if removing all of them would not make enough room
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
    `The model needs ${megabytes(needed)} of storage, but this browser has only ` +
      `${megabytes(free)} left for this site. Remove a model or free disk space.`,
  );
}

function installedBytes({ variants }: CatalogEntry): number {
  return variants.reduce((sum, { installed, bytes = 0 }) => (installed ? sum + bytes : sum), 0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
