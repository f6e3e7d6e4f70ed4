import { seededRandom } from '../../scripts/seeded-random.ts';

/** Draws that depend only on the seed. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** An integer from `least` to `most`, inclusive. */
  number(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  one<T>(list: readonly T[]): T {
    const drawn = list[this.number(0, list.length - 1)];
    if (drawn === undefined) throw new Error('There is nothing to draw from.');
    return drawn;
  }

  /** The list in another order. */
  shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    return list.map(() => rest.splice(this.number(0, rest.length - 1), 1)).flat();
  }

  /** `count` different members of the list. */
  some<T>(list: readonly T[], count: number): T[] {
    return this.shuffled(list).slice(0, count);
  }
}
