import { rateLimited } from '../../core/protocol/errors.ts';

/** How much may be asked of the GPU at once. */
export interface TurnLimits {
  /** Requests that may wait, of all clients together. */
  waiting: number;
  /** Requests that one client may have, running and waiting. */
  perClient: number;
}

/** A browser app may well open a few dozen requests at a time. */
export const TURN_LIMITS: TurnLimits = { waiting: 256, perClient: 64 };

/** Weight of the latest turn in the running mean of their durations. */
const SMOOTHING = 0.3;
/** What a turn is taken to last until one has been seen, milliseconds. */
const FIRST_GUESS_MS = 1_000;
/** Nobody is asked to come back sooner, milliseconds. */
const MIN_RETRY_MS = 100;
/** Nor later: clients ignore more than a minute, and a computer may have slept during a turn. */
const MAX_RETRY_MS = 60_000;

/** How often a client that waits for its turn is passed by others whose turn comes later. */
const MOST_PASSED = 2;

interface Waiting {
  enter: () => void;
  isWarm: () => boolean;
}

/** A client that waits, with its requests in the order in which they came. */
interface Line {
  requests: Waiting[];
  /** How often it was passed since its last turn. */
  passed: number;
}

/**
 * One at a time: first come, first served among the requests of one client, round robin between
 * clients. But a client whose next request goes on from what the KV cache holds comes before those for
 * whose sake that would be given up: requests of one conversation follow each other where they can. A
 * client is passed in this way twice at most before its turn comes. So nobody waits for more than one turn
 * of each other client and two turns more, however much those ask for. Waiting can be aborted; an aborted
 * one never gets its turn.
 */
export class Turnstile {
  readonly #limits: TurnLimits;
  /** Who waits. Nobody is in here with nothing to wait for. */
  readonly #waiting = new Map<string, Line>();
  /** The clients who wait, in the order in which they are served. */
  readonly #rotation: string[] = [];
  #waitingCount = 0;
  /** Whose turn it is. */
  #running: string | undefined;
  /** Mean duration of a turn, milliseconds. */
  #meanMs = FIRST_GUESS_MS;
  #measured = false;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...TURN_LIMITS, ...limits };
  }

  /**
   * @param client - whose request it is; any name
   * @param isWarm - whether it goes on from what the KV cache holds at that moment
   * @returns the function that ends the turn
   * @throws ApiError 429 when too many wait, with the time after which a place is likely to be free
   */
  async enter(client: string, signal: AbortSignal, isWarm = never): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running === undefined) this.#running = client;
    else await this.#wait(client, signal, isWarm);
    const begun = performance.now();
    return () => {
      this.#measure(performance.now() - begun);
      this.#running = undefined;
      this.#next();
    };
  }

  async #wait(client: string, signal: AbortSignal, isWarm: () => boolean): Promise<void> {
    this.#refuseTooMany(client);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#remove(client, resolve);
      reject(signal.reason);
    };
    this.#add(client, { enter: resolve, isWarm });
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /**
   * The fuller the queue, the less of it one client may take: no more than is still free. So there is
   * always room for one who has asked for nothing yet.
   */
  #refuseTooMany(client: string): void {
    const own = this.#waiting.get(client)?.requests.length ?? 0;
    const running = this.#running === client ? 1 : 0;
    if (own + running >= this.#limits.perClient) {
      const message = `This API key has ${own + running} requests under way, as many as it may have.`;
      throw rateLimited(message, this.#retryAfterMs());
    }
    if (own >= this.#limits.waiting - this.#waitingCount) {
      const message = 'Too many requests are waiting for the model.';
      throw rateLimited(message, this.#retryAfterMs());
    }
  }

  /** A client's next place is free when its next request begins: after a turn of each who waits. */
  #retryAfterMs(): number {
    const ms = this.#meanMs * Math.max(1, this.#rotation.length);
    return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, ms));
  }

  #add(client: string, request: Waiting): void {
    this.#waitingCount++;
    const line = this.#waiting.get(client);
    if (line) {
      line.requests.push(request);
      return;
    }
    this.#waiting.set(client, { requests: [request], passed: 0 });
    // Who runs now has had its turn: one who comes meanwhile is served before it runs again.
    const end = this.#rotation.length - (this.#rotation.at(-1) === this.#running ? 1 : 0);
    this.#rotation.splice(end, 0, client);
  }

  #remove(client: string, enter: () => void): void {
    const line = this.#waiting.get(client);
    const place = line?.requests.findIndex((each) => each.enter === enter) ?? -1;
    // Its turn may have come in the same moment.
    if (!line || place < 0) return;
    line.requests.splice(place, 1);
    this.#waitingCount--;
    if (line.requests.length > 0) return;
    this.#waiting.delete(client);
    this.#rotation.splice(this.#rotation.indexOf(client), 1);
  }

  #next(): void {
    const [client] = this.#rotation.splice(this.#choose(), 1);
    const line = client === undefined ? undefined : this.#waiting.get(client);
    if (client === undefined || !line) return;
    const request = line.requests.shift();
    line.passed = 0;
    this.#waitingCount--;
    if (line.requests.length > 0) this.#rotation.push(client);
    else this.#waiting.delete(client);
    // Taken over at once, so that nobody else slips in before the awaiting code runs.
    this.#running = client;
    request?.enter();
  }

  /** The place in the rotation of who comes next; all before it are passed. */
  #choose(): number {
    const lines = this.#rotation.flatMap((client) => this.#waiting.get(client) ?? []);
    const limit = lines.findIndex(({ passed }) => passed >= MOST_PASSED);
    const reached = limit < 0 ? lines : lines.slice(0, limit + 1);
    const warm = reached.findIndex(({ requests }) => requests[0]?.isWarm() ?? false);
    for (const line of lines.slice(0, Math.max(0, warm))) line.passed++;
    return Math.max(0, warm);
  }

  #measure(ms: number): void {
    this.#meanMs = this.#measured ? this.#meanMs + SMOOTHING * (ms - this.#meanMs) : ms;
    this.#measured = true;
  }
}

function never(): boolean {
  return false;
}
