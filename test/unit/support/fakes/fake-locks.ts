interface Entry {
  name: string;
  mode: LockMode;
}

interface Waiting extends Entry {
  grant: () => void;
}

type Work<T> = (lock: Lock | null) => T;

/** Web Locks as the specification has them, without `steal`; Node 26 keeps aborted requests in its queue. */
export class FakeLocks implements LockManager {
  #held: Entry[] = [];
  #waiting: Waiting[] = [];

  request<T>(name: string, work: Work<T>): Promise<Awaited<T>>;
  request<T>(name: string, options: LockOptions, work: Work<T>): Promise<Awaited<T>>;
  async request<T>(
    name: string,
    options: LockOptions | Work<T>,
    work?: Work<T>,
  ): Promise<Awaited<T>> {
    if (typeof options === 'function') return this.request(name, {}, options);
    if (!work) throw new TypeError('A lock needs a callback.');
    const { mode = 'exclusive', ifAvailable, signal } = options;
    const entry = { name, mode };
    signal?.throwIfAborted();
    if (ifAvailable && !this.#isFree(entry)) return await work(null);
    await this.#granted(entry, signal);
    try {
      return await work(entry);
    } finally {
      this.#release(entry);
    }
  }

  query(): Promise<LockManagerSnapshot> {
    const info = ({ name, mode }: Entry) => ({ name, mode, clientId: 'a tab' });
    return Promise.resolve({ held: this.#held.map(info), pending: this.#waiting.map(info) });
  }

  /** Names of the locks that are held; twice if two share one. */
  get held(): string[] {
    return this.#held.map(({ name }) => name);
  }

  /** Names of the locks that somebody waits for. */
  get awaited(): string[] {
    return this.#waiting.map(({ name }) => name);
  }

  /** Releases this lock, as the browser does when the tab or worker that holds it ends. */
  endHolder(name: string): void {
    for (const entry of this.#held.filter((held) => held.name === name)) this.#release(entry);
  }

  #granted(entry: Entry, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const grant = () => {
      this.#held.push(entry);
      resolve();
    };
    const waiting = { ...entry, grant };
    this.#waiting.push(waiting);
    signal?.addEventListener('abort', () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      reject(signal.reason);
      this.#grantNext();
    });
    this.#grantNext();
    return promise;
  }

  #grantNext(): void {
    for (const waiting of this.#waiting) {
      const before = this.#waiting.slice(0, this.#waiting.indexOf(waiting));
      if (before.some(({ name }) => name === waiting.name) || !this.#canJoin(waiting)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      waiting.grant();
    }
  }

  #isFree(entry: Entry): boolean {
    return !this.#waiting.some(({ name }) => name === entry.name) && this.#canJoin(entry);
  }

  #canJoin({ name, mode }: Entry): boolean {
    const holders = this.#held.filter((held) => held.name === name);
    return holders.every((held) => held.mode === 'shared' && mode === 'shared');
  }

  #release(entry: Entry): void {
    this.#held = this.#held.filter((held) => held !== entry);
    this.#grantNext();
  }
}
