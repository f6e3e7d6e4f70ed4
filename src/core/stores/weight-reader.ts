import type { Database, FileKey } from './database.ts';

/** What is there of models' files, and what is on its way. Reads none of them. */
export class WeightReader {
  protected readonly open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.open = open;
  }

  /** Paths that are stored of a model's revision. Reads no file. */
  async paths(model: string, revision: string): Promise<Set<string>> {
    const keys = await (await this.open()).getAllKeys('files', below(model, revision));
    return new Set(keys.map(([, , path]) => path));
  }

  /** How much an unfinished download has brought of a file, bytes. Reads the last segment only. */
  async received(key: FileKey): Promise<number> {
    const { store } = (await this.open()).transaction('segments');
    const last = await store.openCursor(below(...key), 'prev');
    return last ? last.key[3] + last.value.blob.size : 0;
  }
}

/** All keys that begin with this: in IndexedDB's order an array comes after every string and number. */
export function below(...prefix: string[]): IDBKeyRange {
  return IDBKeyRange.bound(prefix, [...prefix, []]);
}
