/** Lets everything pass, except while it is shut. */
export class Gate {
  #opening = Promise.withResolvers<void>();

  constructor() {
    this.open();
  }

  /** Resolves when it is open. */
  get opened(): Promise<void> {
    return this.#opening.promise;
  }

  shut(): void {
    this.#opening = Promise.withResolvers<void>();
  }

  open(): void {
    this.#opening.resolve();
  }
}
