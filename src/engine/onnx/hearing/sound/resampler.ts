/** Zero crossings of the filter on each side: the stop band is below -60 dB. */
const CROSSINGS = 16;

/**
 * Converts mono sound to another sample rate, piece by piece, with a windowed sinc filter. Frequencies above half of
 * the lower rate are filtered out.
 */
export class Resampler {
  /** Output sample `n` is at the place `n * #from / #to` of the input. The two have no common divisor. */
  readonly #from: number;
  readonly #to: number;
  /** Cut-off frequency; 1 is half of the input's rate. */
  readonly #cutoff: number;
  /** Input samples that the filter reads on each side of an output sample. */
  readonly #reach: number;
  /** The filter for each place between two input samples, in parts of `#to`: made once, because sines take time. */
  readonly #filters = new Map<number, Float32Array>();
  /** Input that further output needs, and the place of its first sample. */
  #held: Float32Array<ArrayBuffer>;
  #begin: number;
  /** Number of the next output sample. */
  #next = 0;

  /** @param from - sample rate of the input; `to`: of the output; hertz, whole numbers */
  constructor(from: number, to: number) {
    const divisor = commonDivisor(from, to);
    this.#from = from / divisor;
    this.#to = to / divisor;
    this.#cutoff = Math.min(1, to / from);
    this.#reach = Math.ceil(CROSSINGS / this.#cutoff);
    // Before its beginning, the sound is silent.
    this.#held = new Float32Array(this.#reach);
    this.#begin = -this.#reach;
  }

  /** Returns the output that the input so far determines. */
  push(input: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
    if (this.#from === this.#to) return input;
    const held = new Float32Array(this.#held.length + input.length);
    held.set(this.#held);
    held.set(input, this.#held.length);
    const known = this.#begin + held.length - this.#reach;
    const end = Math.max(this.#next, Math.ceil((known * this.#to) / this.#from));
    const output = new Float32Array(end - this.#next);
    for (let index = 0; index < output.length; index++) {
      output[index] = this.#at(held, (this.#next + index) * this.#from);
    }
    this.#next = end;
    const needed = this.#center(end * this.#from) - this.#reach + 1;
    this.#held = held.slice(Math.max(0, needed - this.#begin));
    this.#begin = Math.max(this.#begin, needed);
    return output;
  }

  /** Returns the rest of the output, after the last input. */
  end(): Float32Array<ArrayBuffer> {
    return this.#from === this.#to
      ? new Float32Array()
      : this.push(new Float32Array(this.#reach + 1));
  }

  /** @param place - in parts of `#to` */
  #at(held: Float32Array, place: number): number {
    const filter = this.#filter(place % this.#to);
    const first = this.#center(place) - this.#reach + 1 - this.#begin;
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap++) {
      sum += (filter[tap] ?? 0) * (held[first + tap] ?? 0);
    }
    return sum;
  }

  /** The input sample at a place or before it. */
  #center(place: number): number {
    return Math.floor(place / this.#to);
  }

  #filter(part: number): Float32Array {
    let filter = this.#filters.get(part);
    if (!filter) {
      const taps = Array.from({ length: 2 * this.#reach }, (_, tap) =>
        this.#weight(tap - this.#reach + 1 - part / this.#to),
      );
      const sum = taps.reduce((all, weight) => all + weight, 0);
      filter = Float32Array.from(taps, (weight) => weight / sum);
      this.#filters.set(part, filter);
    }
    return filter;
  }

  /** Sinc, with a Hann window around it. */
  #weight(distance: number): number {
    const x = Math.PI * distance * this.#cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (this.#reach + 1));
    return (x === 0 ? 1 : Math.sin(x) / x) * window;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
