import { TemplateFault } from './values.ts';

/** What a rendering may take. */
export interface Limits {
  /** Nodes that are evaluated. */
  steps: number;
  /** Characters of each text that is made. */
  characters: number;
}

/** Thrown if a template takes more than its limits. */
export class TemplateTooLong extends TemplateFault {}

/** Counts what a rendering takes. */
export class RenderMeter {
  readonly #limits: Limits;
  #steps = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts the evaluation of a node. */
  step(): void {
    this.#steps++;
  }

  /**
   * Checks the steps so far, and the length of a text that was made.
   *
   * @throws TemplateTooLong
   */
  check(characters: number): void {
    const { steps, characters: most } = this.#limits;
    if (this.#steps > steps) throw new TemplateTooLong('It takes too many steps.');
    if (characters > most) throw new TemplateTooLong('Its text is too long.');
  }
}
