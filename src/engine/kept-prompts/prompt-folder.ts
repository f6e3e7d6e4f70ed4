import { hex } from '../../core/text/sha256.ts';
import { isNamed } from '../../core/database/transaction-cause.ts';

/** Bytes of each piece of a file, but for the last one. */
export const PIECE = 4 * 1024 * 1024;

/** Thrown for a file whose bytes are not those that were written. */
export class DamagedFile extends Error {}

/** What gives the next piece of a file: PIECE bytes, fewer at the end, then none. */
export type TakePiece = () => Promise<Uint8Array<ArrayBuffer>>;

/** The files of kept prompts, in a folder of this site in the origin's private file system. */
export class PromptFolder {
  readonly #name: string;
  readonly #root: () => Promise<FileSystemDirectoryHandle>;

  /** @param scope - path of the site's folder */
  constructor(scope: string, root = privateFiles) {
    this.#name = `slashv1 prompts ${encodeURIComponent(scope)}`;
    this.#root = root;
  }

  /** Writes a file, which is there only when it is whole. @returns the hash of each piece */
  async write(id: string, take: TakePiece): Promise<string[]> {
    const folder = await (await this.#root()).getDirectoryHandle(this.#name, { create: true });
    const handle = await folder.getFileHandle(id, { create: true });
    const writable = await handle.createWritable();
    try {
      const hashes: string[] = [];
      for (let piece = await take(); piece.length > 0; piece = await take()) {
        const [hash] = await Promise.all([sha256(piece), writable.write(piece)]);
        hashes.push(hash);
      }
      await writable.close();
      return hashes;
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Reads a file piece by piece.
   *
   * @param hashes - as `write` returned them
   * @throws DamagedFile if a piece is another one, or the file is missing
   */
  async *read(id: string, hashes: readonly string[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await this.#file(id);
    for (const [index, hash] of hashes.entries()) {
      const piece = await bytesOf(file.slice(index * PIECE, (index + 1) * PIECE));
      if ((await sha256(piece)) !== hash) throw new DamagedFile('A kept prompt is damaged.');
      yield piece;
    }
    if (file.size > hashes.length * PIECE) throw new DamagedFile('A kept prompt is too long.');
  }

  async remove(id: string): Promise<void> {
    const folder = await this.#existing();
    await folder?.removeEntry(id).catch(unlessMissing);
  }

  /** The names of all files. */
  async list(): Promise<string[]> {
    const names: string[] = [];
    const folder = await this.#existing();
    if (folder) for await (const name of folder.keys()) names.push(name);
    return names;
  }

  /** Deletes all files. */
  async clear(): Promise<void> {
    try {
      const root = await this.#root();
      await root.removeEntry(this.#name, { recursive: true });
    } catch (error) {
      unlessMissing(error);
    }
  }

  async #file(id: string): Promise<File> {
    try {
      const folder = await this.#existing();
      const file = await (await folder?.getFileHandle(id))?.getFile();
      if (file) return file;
    } catch (error) {
      unlessMissing(error);
    }
    throw new DamagedFile('The file of a kept prompt is missing.');
  }

  async #existing(): Promise<FileSystemDirectoryHandle | undefined> {
    try {
      return await (await this.#root()).getDirectoryHandle(this.#name);
    } catch (error) {
      unlessMissing(error);
      return undefined;
    }
  }
}

/** @throws DOMException `NotFoundError` in WebKitGTK, which has no such files, although TypeScript's types say so */
async function privateFiles(): Promise<FileSystemDirectoryHandle> {
  const { storage } = navigator as Partial<typeof navigator>;
  if (storage) return storage.getDirectory();
  throw new DOMException('This browser has no private files.', 'NotFoundError');
}

async function bytesOf(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch (cause) {
    throw new DamagedFile('The file of a kept prompt cannot be read.', { cause });
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', bytes));
}

function unlessMissing(error: unknown): void {
  if (!isNamed(error, 'NotFoundError')) throw error;
}
