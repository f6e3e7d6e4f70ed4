import type { InDatabase, StoredBytes } from '../database/database.ts';

export function sizeOf(bytes: StoredBytes): number {
  return bytes instanceof Blob ? bytes.size : bytes.byteLength;
}

/** What was stored, with its bytes as a Blob. */
export function withBlob<T extends { blob: Blob }>(
  stored: InDatabase<T>,
): InDatabase<T> & { blob: Blob } {
  const { blob } = stored;
  return { ...stored, blob: blob instanceof Blob ? blob : new Blob([blob]) };
}
