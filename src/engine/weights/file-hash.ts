import { hex } from '../../core/stores/hash.ts';
import { createSha256, type Sha256 } from './sha256.ts';

/**
 * The browser's own SHA-256 costs a third of one in WebAssembly, and none of this thread's time, but it
 * takes all of a file at once: files up to this size are kept for it while they come, bytes.
 */
const MOST_KEPT = 64 * 1024 * 1024;

/** SHA-256 of one file after the other, as their bytes come. */
export class FileHash {
  readonly #streamed: Sha256;
  /** What has come of a file that is kept. */
  #kept = new Uint8Array();
  #size = 0;
  #bytes = 0;

  static async create(): Promise<FileHash> {
    return new FileHash(await createSha256());
  }

  private constructor(streamed: Sha256) {
    this.#streamed = streamed;
  }

  /** @param size - of the file that comes, bytes; 0 where nobody knows it */
  restart(size: number): void {
    this.#size = size;
    this.#bytes = 0;
    this.#streamed.restart();
    // Memory that was used before is quicker than new memory.
    if (this.#isKept && this.#kept.length < size) this.#kept = new Uint8Array(size);
  }

  update(bytes: Uint8Array): void {
    if (!this.#isKept) return this.#streamed.update(bytes);
    // A file that is longer than it should be is none whose hash would matter.
    this.#kept.set(bytes.subarray(0, this.#size - this.#bytes), this.#bytes);
    this.#bytes = Math.min(this.#size, this.#bytes + bytes.length);
  }

  /** Hex, of all that came since the last `restart`. */
  async digest(): Promise<string> {
    if (!this.#isKept) return this.#streamed.digest();
    return hex(await crypto.subtle.digest('SHA-256', this.#kept.subarray(0, this.#bytes)));
  }

  get #isKept(): boolean {
    return this.#size > 0 && this.#size <= MOST_KEPT;
  }
}
