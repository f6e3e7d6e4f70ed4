/** The size of a stored segment, bytes: at most this much is lost if the tab is closed. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Received bytes that are not stored yet. The next segment reuses the memory. */
export class Segment {
  #memory = new Uint8Array();
  length = 0;

  get isFull(): boolean {
    return this.length === MOST_BYTES;
  }

  /** Valid until more is added. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.length);
  }

  /** Adds as much as there is room for. @returns the rest */
  add(piece: Uint8Array): Uint8Array {
    const room = Math.min(piece.length, MOST_BYTES - this.length);
    if (this.length + room > this.#memory.length) this.#grow(this.length + room);
    this.#memory.set(piece.subarray(0, room), this.length);
    this.length += room;
    return piece.subarray(room);
  }

  clear(): void {
    this.length = 0;
  }

  /** Gives away the bytes and their memory. `use` can provide other memory; without it, new memory is allocated. */
  give(): Uint8Array<ArrayBuffer> {
    const { bytes } = this;
    this.#memory = new Uint8Array();
    this.clear();
    return bytes;
  }

  /** Takes memory to replace what was given away: that is faster than new memory, which the system fills with zeros. */
  use(memory: ArrayBuffer): void {
    this.#memory = new Uint8Array(memory);
  }

  #grow(least: number): void {
    const longer = new Uint8Array(Math.min(MOST_BYTES, Math.max(least, 2 * this.#memory.length)));
    longer.set(this.bytes);
    this.#memory = longer;
  }
}
