import { rateLimited } from '../../core/errors/errors.ts';

/** Limits of the queue. */
export interface TurnLimits {
  /** How many requests of all clients together may wait. */
  waiting: number;
  /** How many requests one client may have, running and waiting. */
  perClient: number;
}

/** A browser app may open a few dozen requests at a time. */
export const TURN_LIMITS: TurnLimits = { waiting: 256, perClient: 64 };

/** Weight of the latest turn in the running mean of their durations. */
const SMOOTHING = 0.3;
/** Assumed duration of a turn before one was measured, milliseconds. */
const FIRST_GUESS_MS = 1_000;
/** Lower limit of Retry-After, milliseconds. */
const MIN_RETRY_MS = 100;
/** Upper limit: clients ignore more than a minute, and the computer may have slept during a turn. */
const MAX_RETRY_MS = 60_000;

/** How often a waiting client may be overtaken. */
const MOST_PASSED = 2;

/** Callbacks of a waiting request. */
export interface Queued {
  /** Whether the request continues a conversation that is in the KV cache now; default: no. */
  isWarm?: () => boolean;
  /** Whether the request may take its turn between two parts of another client's request; default: no. */
  mayInterrupt?: () => boolean;
  /** Called with the number of requests before it, those that run included, whenever that changes. */
  onPlace?: ((before: number) => void) | undefined;
  /** Requests of one group may share a turn; undefined: the request shares its turn with none. */
  group?: string | undefined;
  /** How many requests of the group may run at once now; default: one. */
  most?: () => number;
}

/** A request whose turn it is. */
interface Running {
  client: string;
  group: string | undefined;
}

interface Waiting extends Queued {
  /** @param leave - ends the turn */
  enter: (leave: () => void) => void;
}

/** A waiting client, with its requests in order of arrival. */
interface Line {
  requests: Waiting[];
  /** How often it was overtaken since its last turn. */
  passed: number;
}

/**
 * A fair queue that serves one request at a time, or several of one group: first in, first out for each client, round
 * robin between clients. One exception: if a client's next request continues a conversation in the KV
 * cache, it may overtake clients that would displace that conversation. A client is overtaken at
 * most twice before its turn. So a client waits for at most one turn of each other client plus two,
 * however many requests the others send. A waiting request can be aborted; it then never gets a turn.
 *
 * A long request may make way: its client is then served again after all other waiting clients.
 */
export class Turnstile {
  readonly #limits: TurnLimits;
  /** Waiting clients; each has at least one request. */
  readonly #waiting = new Map<string, Line>();
  /** The waiting clients, in the order in which they are served. */
  readonly #rotation: string[] = [];
  #waitingCount = 0;
  readonly #running = new Set<Running>();
  /** Mean duration of a turn, milliseconds. */
  #meanMs = FIRST_GUESS_MS;
  #measured = false;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...TURN_LIMITS, ...limits };
  }

  /**
   * @param client - name of the client that sent the request
   * @returns the function that ends the turn
   * @throws ApiError 429 if too many requests wait; its retryAfterMs estimates when a place will be
   * free
   */
  async enter(
    client: string,
    signal: AbortSignal,
    { onPlace, ...queued }: Queued = {},
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waitingCount === 0 && this.#hasPlace(queued)) return this.#turn(client, queued);
    this.#refuseTooMany(client);
    const waiting = { ...queued, onPlace: onPlace && onChange(onPlace) };
    return this.#wait(client, signal, (enter) => this.#add(client, { ...waiting, enter }));
  }

  /** Lets requests in if more may run at once than before. */
  admit(): void {
    this.#next();
  }

  /** Whether the next request is another client's and may take its turn before the running one ends. */
  get isWanted(): boolean {
    const [client] = this.#rotation;
    const [next] = (client !== undefined && this.#waiting.get(client)?.requests) || [];
    return client !== undefined && this.#countOf(client) === 0 && (next?.mayInterrupt?.() ?? false);
  }

  /**
   * Ends the turn of an unfinished request, and waits for its next turn. Never throws 429. The request is served before
   * its client's later requests.
   *
   * @param leave - ends the turn
   * @returns the function that ends the next turn
   */
  async makeWay(
    client: string,
    leave: () => void,
    signal: AbortSignal,
    { group, most }: Pick<Queued, 'group' | 'most'> = {},
  ): Promise<() => void> {
    const waiting = this.#wait(client, signal, (enter) =>
      this.#add(client, { enter, group, ...(most && { most }) }, true),
    );
    leave();
    return waiting;
  }

  /** Begins a turn. @returns the function that ends it */
  #turn(client: string, { group }: Queued): () => void {
    const running = { client, group };
    this.#running.add(running);
    const begun = performance.now();
    return () => {
      if (!this.#running.delete(running)) return;
      this.#measure(performance.now() - begun);
      this.#next();
    };
  }

  /** Whether a request may run beside those that run now. */
  #hasPlace({ group, most }: Queued): boolean {
    if (this.#running.size === 0) return true;
    const isShared =
      group !== undefined && [...this.#running].every((each) => each.group === group);
    return isShared && this.#running.size < (most?.() ?? 1);
  }

  /** How many requests of the client run. */
  #countOf(client: string): number {
    return [...this.#running].filter((running) => running.client === client).length;
  }

  /** @returns the function that ends the turn */
  async #wait(
    client: string,
    signal: AbortSignal,
    add: (enter: Waiting['enter']) => void,
  ): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = () => {
      this.#remove(client, resolve);
      reject(signal.reason);
    };
    add(resolve);
    this.#tellPlaces();
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /**
   * The fuller the queue, the fewer places one client may take: no more than are still free. So a
   * client without requests always finds a place.
   */
  #refuseTooMany(client: string): void {
    const own = this.#waiting.get(client)?.requests.length ?? 0;
    const running = this.#countOf(client);
    if (own + running >= this.#limits.perClient) {
      const message = `This API key has ${own + running} requests under way, as many as it may have.`;
      throw rateLimited(message, this.#retryAfterMs());
    }
    if (own >= this.#limits.waiting - this.#waitingCount) {
      const message = 'Too many requests are waiting for the model.';
      throw rateLimited(message, this.#retryAfterMs());
    }
  }

  /**
   * A client's next place is free when its next request begins: after one turn of each waiting
   * client.
   */
  #retryAfterMs(): number {
    const ms =
      (this.#meanMs * Math.max(1, this.#rotation.length)) / Math.max(1, this.#running.size);
    return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, ms));
  }

  /** @param isFirst - whether it is served before its client's other requests */
  #add(client: string, request: Waiting, isFirst = false): void {
    this.#waitingCount++;
    const line = this.#waiting.get(client);
    if (line) {
      if (isFirst) line.requests.unshift(request);
      else line.requests.push(request);
      return;
    }
    this.#waiting.set(client, { requests: [request], passed: 0 });
    // Running clients have had their turn: a client that arrives now is served before them.
    const last = this.#rotation.findLastIndex((each) => this.#countOf(each) === 0);
    this.#rotation.splice(this.#countOf(client) > 0 ? this.#rotation.length : last + 1, 0, client);
  }

  #remove(client: string, enter: Waiting['enter']): void {
    const line = this.#waiting.get(client);
    const place = line?.requests.findIndex((each) => each.enter === enter) ?? -1;
    // The request's turn may have begun at the same moment.
    if (!line || place < 0) return;
    line.requests.splice(place, 1);
    this.#waitingCount--;
    if (line.requests.length === 0) {
      this.#waiting.delete(client);
      this.#rotation.splice(this.#rotation.indexOf(client), 1);
    }
    // Others may run beside those that run now, and had to wait behind it.
    this.#next();
    this.#tellPlaces();
  }

  /** Lets the next requests in, as many as may run. */
  #next(): void {
    for (;;) {
      const place = this.#choose();
      const client = this.#rotation[place];
      const line = client === undefined ? undefined : this.#waiting.get(client);
      const [request] = line?.requests ?? [];
      if (client === undefined || !line || !request || !this.#hasPlace(request)) return;
      for (const passed of this.#rotation.slice(0, place)) this.#pass(passed);
      this.#rotation.splice(place, 1);
      line.requests.shift();
      line.passed = 0;
      this.#waitingCount--;
      if (line.requests.length > 0) this.#rotation.push(client);
      else this.#waiting.delete(client);
      // The turn is taken at once, so that no other request gets in before the awaiting code runs.
      request.enter(this.#turn(client, request));
      this.#tellPlaces();
    }
  }

  #pass(client: string): void {
    const line = this.#waiting.get(client);
    if (line) line.passed++;
  }

  /** Tells each request how many are before it. Ignores that warm requests may overtake. */
  #tellPlaces(): void {
    const lines = this.#rotation.map((client) => this.#waiting.get(client)?.requests ?? []);
    for (const [at, line] of lines.entries()) {
      for (const [own, { onPlace }] of line.entries()) {
        if (!onPlace) continue;
        const others = lines.map(({ length }, other) =>
          other === at ? own : Math.min(length, other < at ? own + 1 : own),
        );
        onPlace(others.reduce((sum, count) => sum + count, this.#running.size));
      }
    }
  }

  /** Index of the next client in the rotation; all before it are overtaken. */
  #choose(): number {
    const lines = this.#rotation.flatMap((client) => this.#waiting.get(client) ?? []);
    const limit = lines.findIndex(({ passed }) => passed >= MOST_PASSED);
    const reached = limit < 0 ? lines : lines.slice(0, limit + 1);
    const warm = reached.findIndex(({ requests }) => requests[0]?.isWarm?.() ?? false);
    return Math.max(0, warm);
  }

  #measure(ms: number): void {
    this.#meanMs = this.#measured ? this.#meanMs + SMOOTHING * (ms - this.#meanMs) : ms;
    this.#measured = true;
  }
}

/** Passes a number on only if it differs from the one before. */
function onChange(tell: (value: number) => void): (value: number) => void {
  let last: number | undefined;
  return (value) => {
    if (value !== last) tell(value);
    last = value;
  };
}
