import type { FileKey, StoredFile } from '../../../core/database/database.ts';
import type { PackFile } from '../../../core/catalog/pack-file.ts';
import { hasChanged } from '../../../core/weights/linked-file.ts';
import {
  type OpenedLink,
  type WeightStore,
  blobSha256,
} from '../../../core/weights/weight-store.ts';
import { PieceHashes } from '../transfer/piece-hashes.ts';
import { readPieces } from '../transfer/piece-reader.ts';
import type { ReadFile } from '../transfer/read-file.ts';
import type { InstalledModel } from './installed-model.ts';
import { createSha256 } from '../transfer/file-hash.ts';

/**
 * Largest file, bytes, for which the browser's own SHA-256 is used. It is three times as fast, but needs the whole
 * file in memory, twice. WebLLM splits weights into files of this size; most GGUF files are larger.
 */
const MOST_AT_ONCE = 32 * 1024 * 1024;

/** A model's files for one loading. Each is read from the store once. */
export interface VerifiedFiles {
  read: ReadFile;
  /**
   * Resolves when every file that was read has been checked. False: a file that was handed out early was
   * damaged, and has been downloaded again.
   */
  wereIntact: () => Promise<boolean>;
}

/**
 * Checks each file against its hash when it is first read. Disks and browsers lose bits, and a model with
 * a damaged file answers nonsense without an error. A file that is read where it lies is checked by its size, its date and
 * samples: to hash it would take as long as to read it.
 *
 * @param repair - downloads files that are missing in the store
 * @param isEarly - selects files that are handed out first and checked later, one by one
 */
export function verifiedFiles(
  { entry, installation }: InstalledModel,
  store: WeightStore,
  repair: () => Promise<void>,
  isEarly: (path: string) => boolean = () => false,
): VerifiedFiles {
  const { revision, files } = installation;
  const fileAt = (path: string) => files.find((file) => file.path === path);
  const renew = async (path: string): Promise<void> => {
    await store.removeFile([entry.id, revision, path]);
    await repair();
  };
  let checking = Promise.resolve(true);
  const checkLater = (path: string, stored: StoredFile) => {
    checking = checking.then(async (before) => {
      if (await isIntact(stored, fileAt(path))) return before;
      await renew(path);
      return false;
    });
    // `wereIntact` reports the error.
    checking.catch(() => undefined);
  };
  const read = async (path: string): Promise<Blob | undefined> => {
    const file = fileAt(path);
    if (!file) return undefined;
    const key: FileKey = [entry.id, revision, path];
    const stored = await store.find(...key);
    if (stored && 'link' in stored) {
      if (stored.sha256 === undefined) unhashed.push([key, stored]);
      return unchanged(stored, key, store);
    }
    if (stored && isEarly(path)) {
      checkLater(path, stored);
      return stored.blob;
    }
    if (stored && (await isIntact(stored, file))) return stored.blob;
    await renew(path);
    return store.get(entry.id, revision, path);
  };
  /** Linked files that have never been hashed. */
  const unhashed: [FileKey, OpenedLink][] = [];
  const asked = new Map<string, Promise<Blob | undefined>>();
  return {
    read: (path) => {
      const blob = asked.get(path) ?? read(path);
      asked.set(path, blob);
      return blob;
    },
    wereIntact: () => {
      // The model has been loaded, which hashing would have slowed. The file may go away; the next load hashes it then.
      for (const each of unhashed.splice(0)) noteHash(store, ...each).catch(() => undefined);
      return checking;
    },
  };
}

/** Hashes a linked file, so that it is known again after its date has changed. */
async function noteHash(
  store: WeightStore,
  key: FileKey,
  { blob, link }: OpenedLink,
): Promise<void> {
  if (blob.lastModified === link.lastModified)
    await store.link(key, { ...link, sha256: await sha256Of(blob) });
}

/** A linked file, if it is the one that was added. @throws ApiError 500 model_unusable */
async function unchanged(
  { blob, link }: OpenedLink,
  key: FileKey,
  store: WeightStore,
): Promise<File> {
  const { lastModified } = blob;
  if (lastModified === link.lastModified) return blob;
  if (link.sha256 === undefined || (await sha256Of(blob)) !== link.sha256) throw hasChanged(link);
  await store.link(key, { ...link, lastModified });
  return blob;
}

/** False if the bytes are damaged or cannot be read. */
async function isIntact({ blob, sha256 }: StoredFile, file?: PackFile): Promise<boolean> {
  try {
    // The stored file may be another version than the one that `pieces` describes.
    if (file?.pieces && file.sha256 === sha256) return await hasPieces(blob, file.pieces);
    return (await sha256Of(blob)) === sha256;
  } catch {
    return false;
  }
}

async function hasPieces(blob: Blob, pieces: readonly string[]): Promise<boolean> {
  const hashes = new PieceHashes(pieces);
  await readPieces(blob, (piece) => {
    hashes.update(piece);
    return hashes.caughtUp();
  });
  return hashes.match();
}

async function sha256Of(blob: Blob): Promise<string> {
  if (blob.size <= MOST_AT_ONCE) return blobSha256(blob);
  const hash = await createSha256();
  await readPieces(blob, (piece) => hash.update(piece));
  return hash.digest();
}
