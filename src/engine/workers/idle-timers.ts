/** A model counts as idle when it has had no request for this long, milliseconds. */
export const IDLE_MS = 5_000;

/** Calls `onIdle` once when a model has become idle. */
export class IdleTimers {
  readonly #onIdle: (model: string) => Promise<void>;
  /** By model: its requests under way, or the timer that runs since the last one. */
  readonly #models = new Map<string, { requests: number; timer?: ReturnType<typeof setTimeout> }>();

  /** @param onIdle - its errors are ignored, because no caller waits for it */
  constructor(onIdle: (model: string) => Promise<void>) {
    this.#onIdle = onIdle;
  }

  /** @returns the function that ends the use of the model */
  use(model: string): () => void {
    const uses = this.#models.get(model) ?? { requests: 0 };
    this.#models.set(model, uses);
    clearTimeout(uses.timer);
    uses.requests++;
    return () => {
      if (--uses.requests > 0) return;
      uses.timer = setTimeout(() => {
        this.#models.delete(model);
        void this.#onIdle(model).catch(() => undefined);
      }, IDLE_MS);
    };
  }
}
