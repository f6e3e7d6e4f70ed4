import type {
  Database,
  FileKey,
  InDatabase,
  LinkedFile,
  StoredBytes,
} from '../database/database.ts';

/** Which files of models are stored, whole or in part. Reads no file. */
export class WeightReader {
  protected readonly open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.open = open;
  }

  /** Paths of the complete files of a model's revision. */
  async paths(model: string, revision: string): Promise<Set<string>> {
    const keys = await (await this.open()).getAllKeys('files', below(model, revision));
    return new Set(keys.map(([, , path]) => path));
  }

  /** The files of a model that are read where they lie. */
  async links(model: string): Promise<LinkedFile[]> {
    return linksOf(await this.open(), model);
  }

  /** The size of the received part of a file, bytes. Reads only the last segment. */
  async received(key: FileKey): Promise<number> {
    const { store } = (await this.open()).transaction('segments');
    const last = await store.openCursor(below(...key), 'prev');
    return last ? last.key[3] + sizeOf(last.value.blob) : 0;
  }
}

/** The files of a model that are read where they lie. */
export async function linksOf(db: Pick<Database, 'getAll'>, model: string): Promise<LinkedFile[]> {
  const files = await db.getAll('files', below(model));
  return files.filter((file) => 'handle' in file);
}

/** All keys with this prefix. In IndexedDB's order an array comes after every string and number. */
export function below(...prefix: string[]): IDBKeyRange {
  return IDBKeyRange.bound(prefix, [...prefix, []]);
}

export function sizeOf(bytes: StoredBytes): number {
  return bytes instanceof Blob ? bytes.size : bytes.byteLength;
}

/** The stored value, with its bytes as a Blob. */
export function withBlob<T extends { blob: Blob }>(
  stored: InDatabase<T>,
): InDatabase<T> & { blob: Blob } {
  const { blob } = stored;
  return { ...stored, blob: blob instanceof Blob ? blob : new Blob([blob]) };
}
