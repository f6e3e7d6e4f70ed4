/** Zero crossings of the filter on each side: the stop band is below -60 dB. */
const CROSSINGS = 16;

/**
 * Converts mono sound to another sample rate, piece by piece, with a windowed sinc filter. What is above the half of
 * the lower rate is filtered out.
 */
export class Resampler {
  /** Input samples for each output sample. */
  readonly #step: number;
  /** Cut-off relative to the input's rate, 1: its half. */
  readonly #cutoff: number;
  /** Input samples that the filter reads on each side of an output sample. */
  readonly #reach: number;
  /** Input that further output needs. */
  #held: Float32Array<ArrayBuffer>;
  /** Place of the next output sample, in input samples from the beginning of `#held`. */
  #place: number;

  /** @param from - sample rate of the input; `to`: of the output; hertz */
  constructor(from: number, to: number) {
    this.#step = from / to;
    this.#cutoff = Math.min(1, to / from);
    this.#reach = Math.ceil(CROSSINGS / this.#cutoff);
    // Before its beginning, the sound is silent.
    this.#held = new Float32Array(this.#reach);
    this.#place = this.#reach;
  }

  /** The output that the input so far suffices for. */
  push(input: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
    if (this.#step === 1) return input;
    const held = new Float32Array(this.#held.length + input.length);
    held.set(this.#held);
    held.set(input, this.#held.length);
    const count = Math.floor((held.length - this.#reach - 1 - this.#place) / this.#step) + 1;
    const output = new Float32Array(Math.max(0, count));
    for (const index of output.keys()) {
      output[index] = this.#at(held, this.#place + index * this.#step);
    }
    this.#place += output.length * this.#step;
    const unneeded = Math.max(0, Math.floor(this.#place) - this.#reach);
    this.#held = held.slice(unneeded);
    this.#place -= unneeded;
    return output;
  }

  /** The rest, after the last input. */
  end(): Float32Array<ArrayBuffer> {
    return this.#step === 1 ? new Float32Array() : this.push(new Float32Array(this.#reach + 1));
  }

  #at(input: Float32Array, place: number): number {
    const center = Math.floor(place);
    let sum = 0;
    let weights = 0;
    for (let index = center - this.#reach + 1; index <= center + this.#reach; index++) {
      const weight = this.#weight(index - place);
      sum += weight * (input[index] ?? 0);
      weights += weight;
    }
    return sum / weights;
  }

  /** Sinc, with a Hann window around it. */
  #weight(distance: number): number {
    const x = Math.PI * distance * this.#cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (this.#reach + 1));
    return (x === 0 ? 1 : Math.sin(x) / x) * window;
  }
}
