/** How many bytes of a file have arrived, from its start. */
export class ArrivedBytes {
  #count = 0;
  #failure: Error | undefined;
  /** Called when more bytes have arrived, or when the file has failed. */
  #wake: () => void = () => undefined;
  #more: Promise<void> | undefined;

  get count(): number {
    return this.#count;
  }

  add(bytes: number): void {
    this.#count += bytes;
    this.#notify();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#notify();
  }

  /** Resolves when this many bytes have arrived. @throws the error of `fail` */
  async until(bytes: number): Promise<void> {
    while (this.#count < bytes) {
      if (this.#failure) throw this.#failure;
      this.#more ??= new Promise((resolve) => (this.#wake = resolve));
      await this.#more;
    }
  }

  #notify(): void {
    this.#more = undefined;
    this.#wake();
  }
}
