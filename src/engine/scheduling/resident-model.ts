/** A model that can be loaded and unloaded. */
export interface Loadable {
  id: string;
  /** Memory that it takes, bytes. */
  bytes: number;
  load(): Promise<void>;
  unload(): Promise<void>;
  /** Memory taken since loading, bytes; `release` frees what can be freed without unloading. */
  extra?: { bytes(): number; release(): void };
}

/** A model in memory, with its use count. */
export class ResidentModel {
  readonly model: Loadable;
  /** How many answers it is generating. */
  running = 0;
  lastUsed = 0;
  #leaving: PromiseWithResolvers<void> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(model: Loadable) {
    this.model = model;
  }

  /** Whether the model is being unloaded and takes no new request. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  /** Takes no new request, and resolves when the running answers have ended. If the signal aborts, the model stays. */
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

  /** Tells `leave` that the last running answer has ended. */
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
