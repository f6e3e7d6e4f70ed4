import type {
  FileKey,
  InDatabase,
  LinkedFile,
  SegmentKey,
  StoredFile,
  StoredSegment,
  WeightTransaction,
} from '../database/database.ts';
import { serverError } from '../errors/errors.ts';
import { hex } from '../text/sha256.ts';
import { firstCause, isNamed } from '../database/transaction-cause.ts';
import { openLinked } from './linked-file.ts';
import { below, sizeOf, WeightReader, withBlob } from './weight-reader.ts';

/** The received part of a file: its segments in order. */
export interface PartialFile {
  segments: StoredSegment[];
  /** Size of all segments together. */
  bytes: number;
}

/** A linked file, opened. */
export interface OpenedLink {
  /** The file. Its bytes stay on disk until they are read. */
  blob: File;
  /** Hex SHA-256; undefined until it has been computed. */
  sha256: string | undefined;
  link: LinkedFile;
}

/**
 * Model files in IndexedDB: each is one Blob, or the segments of its download, or the place where the visitor's own file
 * lies. A stored file is whole and verified, or not there at all. Each write is one transaction, and it has succeeded only when the transaction
 * is complete: Chromium reports success of the request before it aborts the transaction because the disk
 * is full.
 */
export class WeightStore extends WeightReader {
  /** The file as a Blob. @throws ApiError like `find` */
  async get(model: string, revision: string, path: string): Promise<Blob | undefined> {
    return (await this.find(model, revision, path))?.blob;
  }

  /**
   * The file with its hash, or where it lies.
   *
   * @throws ApiError like `openLinked`
   */
  async find(
    model: string,
    revision: string,
    path: string,
  ): Promise<StoredFile | OpenedLink | undefined> {
    const transaction = (await this.open()).transaction(['files', 'segments']);
    const file = await transaction.objectStore('files').get([model, revision, path]);
    if (!file) return undefined;
    if ('blob' in file) return withBlob(file);
    if ('handle' in file) {
      return { blob: await openLinked(file), sha256: file.sha256, link: file };
    }
    const range = below(model, revision, path);
    const segments = await transaction.objectStore('segments').getAll(range);
    return { blob: new Blob(segments.map(({ blob }) => blob)), sha256: file.sha256 };
  }

  /** @throws ApiError 500 storage_full when the browser gives no more space */
  async put(model: string, revision: string, path: string, file: StoredFile): Promise<void> {
    await this.#writeBlob(path, file, async (transaction, stored) => {
      await transaction.objectStore('segments').delete(below(model, revision, path));
      await transaction.objectStore('files').put(stored, [model, revision, path]);
    });
  }

  /** Records where a file of the visitor lies. What is stored of it is deleted. */
  async link(key: FileKey, file: LinkedFile): Promise<void> {
    await this.#write(key[2], async (transaction) => {
      await transaction.objectStore('segments').delete(below(...key));
      await transaction.objectStore('files').put(file, key);
    });
  }

  /** The received part of a file; undefined if a segment before its end is missing. */
  async partial(key: FileKey): Promise<PartialFile | undefined> {
    const { store } = (await this.open()).transaction('segments');
    const [keys, stored] = await Promise.all([
      store.getAllKeys(below(...key)),
      store.getAll(below(...key)),
    ]);
    const segments = stored.map(withBlob);
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
    await this.#writeBlob(key[2], segment, (transaction, stored) =>
      transaction.objectStore('segments').put(stored, at),
    );
  }

  /**
   * Records that a file is complete: all of its segments are stored and were verified.
   *
   * @returns false, and changes nothing, if segments are missing: they were deleted meanwhile
   */
  async complete(key: FileKey, size: number, sha256: string): Promise<boolean> {
    const partial = await this.partial(key);
    if (partial?.bytes !== size) return false;
    // The file stays in its segments: to store it as one Blob would write all of it again.
    await this.#write(key[2], (transaction) =>
      transaction.objectStore('files').put({ size, sha256 }, key),
    );
    return true;
  }

  /**
   * Copies a complete file.
   *
   * @returns false if the file is missing or incomplete
   * @throws ApiError 500 storage_full
   */
  async copy(from: FileKey, to: FileKey): Promise<boolean> {
    let isCopied = false;
    await this.#write(to[2], async (transaction) => {
      const files = transaction.objectStore('files');
      const segments = transaction.objectStore('segments');
      const file = await files.get(from);
      if (!file) return;
      await segments.delete(below(...to));
      let bytes = 0;
      let cursor = await segments.openCursor(below(...from));
      for (; cursor; cursor = await cursor.continue()) {
        await segments.put(cursor.value, [...to, cursor.key[3]]);
        bytes += sizeOf(cursor.value.blob);
      }
      isCopied = !('size' in file) || 'handle' in file || bytes === file.size;
      // If segments are missing, the browser or the user has deleted them.
      await (isCopied ? files.put(file, to) : segments.delete(below(...to)));
    });
    return isCopied;
  }

  /** Deletes all files of a model, and all received parts of files. */
  async remove(model: string): Promise<void> {
    await this.#delete([below(model)]);
  }

  /** Deletes the files of all other revisions of a model. */
  async keepRevisions(model: string, revisions: string[]): Promise<void> {
    await this.#delete(between(model, [...new Set(revisions)].sort()));
  }

  /** Deletes one file, or its received part. */
  async removeFile(key: FileKey): Promise<void> {
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite');
    await transaction.objectStore('files').delete(key);
    await transaction.objectStore('segments').delete(below(...key));
    await transaction.done;
  }

  async #delete(ranges: IDBKeyRange[]): Promise<void> {
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite');
    for (const range of ranges) {
      await transaction.objectStore('files').delete(range);
      await transaction.objectStore('segments').delete(range);
    }
    await transaction.done;
  }

  /**
   * Writes a value with a Blob. If the browser refuses to store Blobs, as private windows of WebKit do, the bytes are
   * written instead. The refusal is not remembered: other causes give the same error, and all later files would then
   * be in memory when they are read.
   */
  async #writeBlob<T extends { blob: Blob }>(
    path: string,
    value: T,
    write: (transaction: WeightTransaction, stored: InDatabase<T>) => Promise<unknown>,
  ): Promise<void> {
    try {
      return await this.#write(path, (transaction) => write(transaction, value));
    } catch (error) {
      // WebKit 2.50: "Error preparing Blob/File data to be stored in object store".
      if (!isNamed(error, 'UnknownError')) throw error;
    }
    const stored = { ...value, blob: await value.blob.arrayBuffer() };
    await this.#write(path, (transaction) => write(transaction, stored));
  }

  async #write(
    path: string,
    write: (transaction: WeightTransaction) => Promise<unknown>,
  ): Promise<void> {
    const transaction = (await this.open()).transaction(['files', 'segments'], 'readwrite', {
      durability: 'relaxed',
    });
    const cause = await firstCause([transaction.done, write(transaction)]);
    if (cause !== undefined) throw isNamed(cause, 'QuotaExceededError') ? storageFull(path) : cause;
  }
}

/** Hex SHA-256 of a blob, which is read once. */
export async function blobSha256(blob: Blob): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
}

/** All keys of a model except those of some revisions, which must be sorted. */
function between(model: string, revisions: string[]): IDBKeyRange[] {
  const starts: IDBValidKey[] = [[model], ...revisions.map((revision) => [model, revision, []])];
  const ends: IDBValidKey[] = [...revisions.map((revision) => [model, revision]), [model, []]];
  return starts.map((start, index) => IDBKeyRange.bound(start, ends[index], index > 0, true));
}

function storageFull(path: string) {
  return serverError(
    'storage_full',
    `No space left in this browser's storage for ${path}. Remove a model or free disk space.`,
  );
}
