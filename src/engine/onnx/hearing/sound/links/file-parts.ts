import { Damage } from './damage.ts';

/** A part of a file. */
export interface FileRange {
  from: number;
  to: number;
}

/** What a file without its damaged parts is made of. */
export class FileParts {
  readonly #file: Blob;
  readonly #damage = new Damage();
  readonly #parts: (FileRange | Uint8Array<ArrayBuffer>)[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /**
   * Appends a part of the file, or other bytes. Parts that touch or overlap become one.
   *
   * @throws ApiError 400 if there are too many
   */
  add(part: FileRange | Uint8Array<ArrayBuffer>): void {
    const last = this.#parts.at(-1);
    if (
      'from' in part &&
      last &&
      'from' in last &&
      part.from >= last.from &&
      part.from <= last.to
    ) {
      last.to = Math.max(last.to, part.to);
    } else {
      this.#damage.count();
      this.#parts.push('from' in part ? { from: part.from, to: part.to } : part);
    }
  }

  /** @param head - what is before them */
  joined(...head: readonly Uint8Array<ArrayBuffer>[]): Blob {
    const slices = this.#parts.map((part) =>
      'from' in part ? this.#file.slice(part.from, part.to) : part,
    );
    return new Blob([...head, ...slices]);
  }
}
