/** Some of a job's texts, which take one turn. */
export interface TextSlice {
  texts: string[];
  /** The place of each text in its request. */
  places: number[];
}

/** Limits of the first slice. Each text has at least one token, and few have less than two characters per token. */
const MOST_TEXTS = 32;
const MOST_CHARACTERS = 8_000;

/**
 * How long a slice should take, milliseconds: short enough for the requests that wait, and long compared with the cost
 * of a turn (a few milliseconds).
 */
const SLICE_MS = 100;
/** A slice is at most this many times larger or smaller than the one before: one measured time may be an outlier. */
const MOST_CHANGE = 2;
/** Limits of the size of a slice ÷ that of the first one. */
const LARGEST = 16;
const SMALLEST = 1 / 16;

/**
 * Divides texts into slices of similar lengths, the longest first: a text that is too long is found before
 * anything has been computed. The size of a slice depends on how long the one before took.
 */
export class TextSlices {
  readonly #texts: { text: string; place: number }[];
  #next = 0;
  /** Size of the next slice ÷ that of the first. */
  #size = 1;

  /** @param places - as in the job */
  constructor(texts: readonly string[], places?: readonly number[]) {
    const all = texts.map((text, index) => ({ text, place: places?.[index] ?? index }));
    this.#texts = all.toSorted((a, b) => b.text.length - a.text.length);
  }

  /** @returns undefined after the last slice */
  next(): TextSlice | undefined {
    const first = this.#texts[this.#next];
    if (!first) return undefined;
    const end = this.#next + Math.max(1, Math.floor(MOST_TEXTS * this.#size));
    const slice: TextSlice = { texts: [], places: [] };
    let left = MOST_CHARACTERS * this.#size;
    for (const { text, place } of this.#texts.slice(this.#next, end)) {
      left -= text.length;
      if (left < 0 && slice.texts.length > 0) break;
      slice.texts.push(text);
      slice.places.push(place);
    }
    this.#next += slice.texts.length;
    return slice;
  }

  /** @param ms - how long the latest slice took, milliseconds */
  took(ms: number): void {
    const change = Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, SLICE_MS / ms));
    this.#size = Math.min(LARGEST, Math.max(SMALLEST, this.#size * change));
  }
}
