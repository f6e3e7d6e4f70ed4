/** A promise that is settled from outside. Its rejection need not be handled. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  #settle: { resolve(value: T): void; reject(error: Error): void } | undefined;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.promise.catch(() => {});
  }

  resolve(value: T): void {
    this.#settle?.resolve(value);
  }

  reject(error: Error): void {
    this.#settle?.reject(error);
  }
}
