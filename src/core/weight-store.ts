import type { Database, StoredFile } from './database.ts';
import { serverError } from './errors.ts';
import { hex } from './keys.ts';

/**
 * Model files in IndexedDB, one Blob each. A file is there entirely and as verified, or not at all:
 * each is one transaction, which counts when it is complete, not when its request succeeded
 * (Chromium reports success before it aborts a transaction for want of space).
 */
export class WeightStore {
  readonly #open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.#open = open;
  }

  /** Paths that are stored of a model's revision. Reads no file. */
  async paths(model: string, revision: string): Promise<Set<string>> {
    const keys = await (await this.#open()).getAllKeys('files', allOf(model, revision));
    return new Set(keys.map(([, , path]) => path));
  }

  /** The file as a Blob: its bytes stay on disk until they are read. */
  async get(model: string, revision: string, path: string): Promise<Blob | undefined> {
    return (await (await this.#open()).get('files', [model, revision, path]))?.blob;
  }

  /** @throws ApiError 500 storage_full when the browser gives no more space */
  async put(model: string, revision: string, path: string, file: StoredFile): Promise<void> {
    const transaction = (await this.#open()).transaction('files', 'readwrite', {
      durability: 'relaxed',
    });
    try {
      // Its own failure says less than the transaction's: "aborted", where that knows why.
      transaction.store.put(file, [model, revision, path]).catch(() => undefined);
      await transaction.done;
    } catch (error) {
      throw isQuotaError(error) ? storageFull(path) : error;
    }
  }

  /** Deletes a model's files, all of them or those of other revisions than the one to keep. */
  async remove(model: string, keepRevision?: string): Promise<void> {
    const transaction = (await this.#open()).transaction('files', 'readwrite');
    for (const key of await transaction.store.getAllKeys(allOf(model))) {
      if (key[1] !== keepRevision) await transaction.store.delete(key);
    }
    await transaction.done;
  }
}

/** Hex SHA-256 of a blob, read once. */
export async function blobSha256(blob: Blob): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
}

function allOf(model: string, revision?: string): IDBKeyRange {
  const prefix = revision === undefined ? [model] : [model, revision];
  // In IndexedDB's order an array comes after every string.
  return IDBKeyRange.bound(prefix, [...prefix, []]);
}

function isQuotaError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

function storageFull(path: string) {
  return serverError(
    'storage_full',
    `No space left in this browser's storage for ${path}. Remove a model or free disk space.`,
  );
}
