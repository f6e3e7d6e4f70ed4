import { hex } from '../../core/stores/hash.ts';
import { createSha256, type Sha256 } from './sha256.ts';

/**
 * Files up to this size are kept in memory until they are complete, bytes: the browser's own SHA-256
 * needs all of a file at once. It costs a third of one in WebAssembly, and none of this thread's time.
 */
const MOST_KEPT = 64 * 1024 * 1024;

/** SHA-256 of one file after another, while their bytes arrive. */
export class FileHash {
  /** Undefined until a file needs it: to compile it takes time. */
  #streamed: Sha256 | undefined;
  /** The received part of a file that is kept. */
  #kept = new Uint8Array();
  #size = 0;
  #bytes = 0;

  /** Must resolve before the first bytes. @param size - of the next file, bytes; 0 if it is unknown */
  async restart(size: number): Promise<void> {
    this.#size = size;
    this.#bytes = 0;
    if (!this.#isKept) {
      this.#streamed ??= await createSha256();
      this.#streamed.restart();
    }
    // To reuse memory is faster than to allocate it.
    else if (this.#kept.length < size) this.#kept = new Uint8Array(size);
  }

  update(bytes: Uint8Array): void {
    if (this.#streamed && !this.#isKept) return this.#streamed.update(bytes);
    // The hash of a file that is too long does not matter: its size is wrong already.
    this.#kept.set(bytes.subarray(0, this.#size - this.#bytes), this.#bytes);
    this.#bytes = Math.min(this.#size, this.#bytes + bytes.length);
  }

  /** Hex, of all bytes since the last `restart`. */
  async digest(): Promise<string> {
    if (this.#streamed && !this.#isKept) return this.#streamed.digest();
    return hex(await crypto.subtle.digest('SHA-256', this.#kept.subarray(0, this.#bytes)));
  }

  get #isKept(): boolean {
    return this.#size > 0 && this.#size <= MOST_KEPT;
  }
}
