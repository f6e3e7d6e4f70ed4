/** A model that can be brought into memory, and out of it. */
export interface Loadable {
  id: string;
  /** Memory that it takes. */
  bytes: number;
  load(): Promise<void>;
  unload(): Promise<void>;
  /** What it has taken beyond that since, and can do without. */
  extra?: { bytes(): number; release(): void };
}

/** A model in memory, and who uses it. */
export class ResidentModel {
  readonly model: Loadable;
  /** How many answers are being made with it. */
  running = 0;
  lastUsed = 0;
  #leaving: PromiseWithResolvers<void> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(model: Loadable) {
    this.model = model;
  }

  /** It takes no new request. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  /** Resolves when it gives no answer any more. */
  async leave(signal: AbortSignal): Promise<void> {
    this.#leaving = Promise.withResolvers();
    const { promise, resolve, reject } = this.#leaving;
    const stay = () => {
      this.#leaving = undefined;
      reject(signal.reason);
    };
    if (this.running === 0) resolve();
    else if (signal.aborted) stay();
    signal.addEventListener('abort', stay, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', stay));
  }

  /** Its last answer is given. */
  done(): void {
    this.#leaving?.resolve();
  }

  rest(ms: number, then: () => void): void {
    this.keep();
    this.#idle = setTimeout(then, ms);
  }

  keep(): void {
    clearTimeout(this.#idle);
  }
}
