export interface StoredFiles {
  /** Deletes all stored files and vector stores with their indexes, also those of keys. */
  clear(): Promise<void>;
}
