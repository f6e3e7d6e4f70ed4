import type { WeightStore } from '../core/weight-store.ts';
import { blobSha256 } from '../core/weight-store.ts';
import type { ReadFile } from './cache-shim.ts';
import type { InstalledModel } from './model-library.ts';
import { createSha256 } from './sha256.ts';

/** The browser's own SHA-256 is three times as fast, but takes all of a file into memory, bytes. */
const MOST_AT_ONCE = 256 * 1024 * 1024;

/**
 * Reads a model's files for one loading of it. Each is checked against its hash when it is first asked
 * for: disks and browsers lose bits, and a model with a wrong one answers nonsense without an error.
 *
 * @param repair - fetches again what is missing in the store
 */
export function verifiedFiles(
  { entry, installation }: InstalledModel,
  store: WeightStore,
  repair: () => Promise<void>,
): ReadFile {
  const { revision, files } = installation;
  const read = async (path: string): Promise<Blob | undefined> => {
    if (!files.some((file) => file.path === path)) return undefined;
    const stored = await store.find(entry.id, revision, path);
    if (stored && (await hasHash(stored.blob, stored.sha256))) return stored.blob;
    await store.removeFile([entry.id, revision, path]);
    await repair();
    return store.get(entry.id, revision, path);
  };
  const asked = new Map<string, Promise<Blob | undefined>>();
  return (path) => {
    const blob = asked.get(path) ?? read(path);
    asked.set(path, blob);
    return blob;
  };
}

/** False, too, where the bytes cannot be read any more. */
async function hasHash(blob: Blob, sha256: string): Promise<boolean> {
  try {
    return (await sha256Of(blob)) === sha256;
  } catch {
    return false;
  }
}

async function sha256Of(blob: Blob): Promise<string> {
  if (blob.size <= MOST_AT_ONCE) return blobSha256(blob);
  const hash = await createSha256();
  const reader = blob.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    hash.update(read.value);
  }
  return hash.digest();
}
