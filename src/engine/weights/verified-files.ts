import type { StoredFile } from '../../core/stores/database.ts';
import { type WeightStore, blobSha256 } from '../../core/stores/weight-store.ts';
import type { ReadFile } from './read-file.ts';
import type { InstalledModel } from './installed-model.ts';
import { createSha256 } from './sha256.ts';

/** The browser's own SHA-256 is three times as fast, but takes all of a file into memory, bytes. */
const MOST_AT_ONCE = 256 * 1024 * 1024;

/** A model's files for one loading of it, each read from the store once. */
export interface VerifiedFiles {
  read: ReadFile;
  /**
   * Resolves when all that was read has been checked: false where something that was read early was
   * damaged. It has been fetched again by then.
   */
  wereIntact: () => Promise<boolean>;
}

/**
 * Checks each file against its hash when it is first asked for: disks and browsers lose bits, and a
 * model with a wrong one answers nonsense without an error.
 *
 * @param repair - fetches again what is missing in the store
 * @param isEarly - which files are given out at once and checked meanwhile, one after the other
 */
export function verifiedFiles(
  { entry, installation }: InstalledModel,
  store: WeightStore,
  repair: () => Promise<void>,
  isEarly: (path: string) => boolean = () => false,
): VerifiedFiles {
  const { revision, files } = installation;
  const renew = async (path: string): Promise<void> => {
    await store.removeFile([entry.id, revision, path]);
    await repair();
  };
  let checking = Promise.resolve(true);
  const checkLater = (path: string, stored: StoredFile) => {
    checking = checking.then(async (before) => {
      if (await hasHash(stored.blob, stored.sha256)) return before;
      await renew(path);
      return false;
    });
    // Whoever waits for it hears of it.
    checking.catch(() => undefined);
  };
  const read = async (path: string): Promise<Blob | undefined> => {
    if (!files.some((file) => file.path === path)) return undefined;
    const stored = await store.find(entry.id, revision, path);
    if (stored && isEarly(path)) {
      checkLater(path, stored);
      return stored.blob;
    }
    if (stored && (await hasHash(stored.blob, stored.sha256))) return stored.blob;
    await renew(path);
    return store.get(entry.id, revision, path);
  };
  const asked = new Map<string, Promise<Blob | undefined>>();
  return {
    read: (path) => {
      const blob = asked.get(path) ?? read(path);
      asked.set(path, blob);
      return blob;
    },
    wereIntact: () => checking,
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
