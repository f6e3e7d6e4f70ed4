/** How much is read at once. */
const BLOCK_BYTES = 1 << 20;
/** How far a reader that looked ahead may go back. */
const BACK_BYTES = 1 << 14;

/** Reads a file from front to back, a block at a time, and looks ahead a little. */
export class FileBlocks {
  readonly size: number;
  readonly #file: Blob;
  #start = 0;
  #block = new Uint8Array();

  constructor(file: Blob) {
    this.#file = file;
    this.size = file.size;
  }

  /** The bytes from a place on: at least `least`, unless the file ends before. */
  async from(at: number, least: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = this.#start + this.#block.length;
    if (at < this.#start || (at + least > end && end < this.size) || at > end) {
      const start = Math.max(0, at - BACK_BYTES);
      const part = this.#file.slice(start, at + Math.max(BLOCK_BYTES, least));
      [this.#start, this.#block] = [start, new Uint8Array(await part.arrayBuffer())];
    }
    return this.#block.subarray(at - this.#start);
  }
}
