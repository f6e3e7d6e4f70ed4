/** Zero crossings of the filter on each side: more cut off more sharply. */
const CROSSINGS = 16;

/** Changes the sample rate of a sound that comes in pieces. */
export class Resampler {
  readonly #from: number;
  readonly #to: number;
  /** How much of the input's band is kept: what the output cannot hold would be heard as other tones. */
  readonly #band: number;
  /** Samples of the input on each side that one of the output depends on. */
  readonly #reach: number;
  /** Input that is still needed. It begins with silence. */
  #held: Float32Array;
  /** Samples of the input before what is held. The silence is before the first one. */
  #dropped: number;
  /** Samples of the output so far. */
  #written = 0;

  /**
   * @param from - hertz
   * @param to - hertz
   */
  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
    this.#band = Math.min(1, to / from);
    this.#reach = Math.ceil(CROSSINGS / this.#band);
    this.#held = new Float32Array(this.#reach);
    this.#dropped = -this.#reach;
  }

  /** The samples that are ready after these. */
  add(samples: Float32Array): Float32Array {
    const input = new Float32Array(this.#held.length + samples.length);
    input.set(this.#held);
    input.set(samples, this.#held.length);
    const ready: number[] = [];
    for (let at = this.#next; at + this.#reach < input.length; at = this.#next) {
      ready.push(this.#sample(input, at));
      this.#written++;
    }
    const done = Math.min(input.length, Math.max(0, Math.floor(this.#next) - this.#reach));
    this.#held = input.slice(done);
    this.#dropped += done;
    return Float32Array.from(ready);
  }

  /** Where the next sample of the output is in what is held. */
  get #next(): number {
    return (this.#written * this.#from) / this.#to - this.#dropped;
  }

  /** The samples that the silence after the sound completes. */
  finish(): Float32Array {
    return this.add(new Float32Array(this.#reach));
  }

  /** A sinc filter in a Hann window: https://ccrma.stanford.edu/~jos/resample/ */
  #sample(input: Float32Array, at: number): number {
    let sum = 0;
    for (let index = Math.ceil(at - this.#reach); index < at + this.#reach; index++) {
      const distance = index - at;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / this.#reach);
      sum += (input[index] ?? 0) * this.#band * sinc(this.#band * distance) * window;
    }
    return sum;
  }
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
