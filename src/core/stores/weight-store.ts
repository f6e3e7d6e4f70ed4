import type {
  FileKey,
  SegmentKey,
  StoredFile,
  StoredSegment,
  WeightTransaction,
} from './database.ts';
import { serverError } from '../protocol/errors.ts';
import { hex } from './hash.ts';
import { below, WeightReader } from './weight-reader.ts';

/** What has come of a file so far, in order. */
export interface PartialFile {
  segments: StoredSegment[];
  /** Of all of them. */
  bytes: number;
}

/**
 * Model files in IndexedDB: one Blob each, or the segments that a download brought. A file is there
 * entirely and as verified, or not at all: each write is one transaction, which counts when it is
 * complete, not when its request succeeded (Chromium reports success before it aborts a transaction
 * for want of space).
 */
export class WeightStore extends WeightReader {
  /** The file as a Blob: its bytes stay on disk until they are read. */
  async get(model: string, revision: string, path: string): Promise<Blob | undefined> {
    return (await this.find(model, revision, path))?.blob;
  }

  /** The file with its hash. */
  async find(model: string, revision: string, path: string): Promise<StoredFile | undefined> {
    const transaction = (await this.open()).transaction(['files', 'segments']);
    const file = await transaction.objectStore('files').get([model, revision, path]);
    if (!file || 'blob' in file) return file;
    const range = below(model, revision, path);
    const segments = await transaction.objectStore('segments').getAll(range);
    return { blob: new Blob(segments.map(({ blob }) => blob)), sha256: file.sha256 };
  }

  /** @throws ApiError 500 storage_full when the browser gives no more space */
  async put(model: string, revision: string, path: string, file: StoredFile): Promise<void> {
    await this.#write(path, async (transaction) => {
      await transaction.objectStore('segments').delete(below(model, revision, path));
      await transaction.objectStore('files').put(file, [model, revision, path]);
    });
  }

  /** What an unfinished download has brought of a file; undefined where some of it is missing. */
  async partial(key: FileKey): Promise<PartialFile | undefined> {
    const { store } = (await this.open()).transaction('segments');
    const [keys, segments] = await Promise.all([
      store.getAllKeys(below(...key)),
      store.getAll(below(...key)),
    ]);
    let bytes = 0;
    for (const [index, { blob }] of segments.entries()) {
      if (keys[index]?.[3] !== bytes) return undefined;
      bytes += blob.size;
    }
    return { segments, bytes };
  }

  /** Adds a segment at an offset. @throws ApiError 500 storage_full */
  async append(key: FileKey, offset: number, segment: StoredSegment): Promise<void> {
    const at: SegmentKey = [...key, offset];
    await this.#write(key[2], (transaction) =>
      transaction.objectStore('segments').put(segment, at),
    );
  }

  /**
   * From now on the file is there: all of its segments have come and were verified.
   *
   * @returns false, and does nothing, where they are not all there: somebody has deleted some
   */
  async complete(key: FileKey, size: number, sha256: string): Promise<boolean> {
    const partial = await this.partial(key);
    if (partial?.bytes !== size) return false;
    // The segments stay what the file is made of: a Blob that is put again is written again.
    await this.#write(key[2], (transaction) =>
      transaction.objectStore('files').put({ size, sha256 }, key),
    );
    return true;
  }

  /** Deletes a model's files, all of them or those of other revisions than the one to keep. */
  async remove(model: string, keepRevision?: string): Promise<void> {
    const ranges = keepRevision === undefined ? [below(model)] : besides(model, keepRevision);
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite');
    for (const range of ranges) {
      await transaction.objectStore('files').delete(range);
      await transaction.objectStore('segments').delete(range);
    }
    await transaction.done;
  }

  /** Deletes one file, and what has come of it. */
  async removeFile(key: FileKey): Promise<void> {
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite');
    await transaction.objectStore('files').delete(key);
    await transaction.objectStore('segments').delete(below(...key));
    await transaction.done;
  }

  async #write(
    path: string,
    write: (transaction: WeightTransaction) => Promise<unknown>,
  ): Promise<void> {
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite', {
      durability: 'relaxed',
    });
    const written = write(transaction);
    // Its own failure says less than the transaction's: "aborted", where that knows why.
    written.catch(() => undefined);
    try {
      await transaction.done;
    } catch (error) {
      throw isQuotaError(error) ? storageFull(path) : error;
    }
    await written;
  }
}

/** Hex SHA-256 of a blob, read once. */
export async function blobSha256(blob: Blob): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
}

/** All keys of a model but those of one revision. */
function besides(model: string, revision: string): IDBKeyRange[] {
  return [
    IDBKeyRange.bound([model], [model, revision], false, true),
    IDBKeyRange.bound([model, revision, []], [model, []], true),
  ];
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
