import { createSHA256 } from 'hash-wasm';
import { hex } from '../../../core/text/sha256.ts';
import type { PackFile } from '../../../core/catalog/pack-file.ts';
import { PieceHashes } from './piece-hashes.ts';

/**
 * Largest file, bytes, that is kept in memory until it is complete: the browser's own SHA-256 needs all of a
 * file at once. It takes a third of the time of one in WebAssembly, and none of this thread's.
 */
const MOST_KEPT = 64 * 1024 * 1024;

/** The facts about a file that are known before its bytes arrive. */
type HashedFile = Pick<PackFile, 'size' | 'sha256' | 'pieces'>;

/** SHA-256 of one file after another, while their bytes arrive. */
export class FileHash {
  /** Undefined until a file needs it: compiling it takes time. */
  #streamed: Sha256 | undefined;
  /** Checks the pieces of the current file, if they have hashes. */
  #pieces: PieceHashes | undefined;
  /** The received part of the current file, if it is kept. */
  #kept = new Uint8Array();
  #file: HashedFile = { size: 0 };
  #bytes = 0;

  /** Must resolve before the first `update`. @param file - the next file; its size is 0 if it is unknown */
  async restart(file: HashedFile): Promise<void> {
    this.#file = file;
    this.#bytes = 0;
    const { size, pieces, sha256 } = file;
    this.#pieces = pieces && sha256 !== undefined ? new PieceHashes(pieces) : undefined;
    if (this.#pieces) return;
    if (!this.#isKept) {
      this.#streamed ??= await createSha256();
      this.#streamed.restart();
    }
    // Reusing memory is faster than allocating it.
    else if (this.#kept.length < size) this.#kept = new Uint8Array(size);
  }

  update(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#pieces) return this.#pieces.update(bytes);
    if (this.#streamed && !this.#isKept) return this.#streamed.update(bytes);
    // The hash of a file that is too long does not matter: its size is wrong already.
    this.#kept.set(bytes.subarray(0, this.#file.size - this.#bytes), this.#bytes);
    this.#bytes = Math.min(this.#file.size, this.#bytes + bytes.length);
  }

  /** Resolves when `update` may be called again. */
  async caughtUp(): Promise<void> {
    await this.#pieces?.caughtUp();
  }

  /** Hex, of all bytes since the last `restart`; undefined: a piece does not match, so neither does the file. */
  async digest(): Promise<string | undefined> {
    if (this.#pieces) return (await this.#pieces.match()) ? this.#file.sha256 : undefined;
    if (this.#streamed && !this.#isKept) return this.#streamed.digest();
    return hex(await crypto.subtle.digest('SHA-256', this.#kept.subarray(0, this.#bytes)));
  }

  get #isKept(): boolean {
    const { size } = this.#file;
    return size > 0 && size <= MOST_KEPT;
  }
}

/** Incremental SHA-256; the browser's own needs all bytes at once. */
interface Sha256 {
  update(bytes: Uint8Array): void;
  /** Hex, of all bytes since the last `restart`. */
  digest(): string;
  restart(): void;
}

export async function createSha256(): Promise<Sha256> {
  const hash = await createSHA256();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => hash.digest(),
    restart: () => void hash.init(),
  };
}
