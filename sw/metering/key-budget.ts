import type { StoredKey } from '../../src/core/database/database.ts';
import { tokenBudgetExceeded } from '../../src/core/errors/errors.ts';
import { budgetReset, tokensToday } from '../../src/core/keys/key-use.ts';
import type { EventOf } from '../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';
import type { JobFollower } from '../road/running-job.ts';
import type { JobMeter } from './job-meter.ts';

/** Notes that the key with this id has used tokens; resolves with all that it has used today. */
export type Spend = (id: string, tokens: number) => Promise<number>;

/** The operations whose tokens count. */
const COSTS = new Set<ApiOperation>([
  ...(['generate', 'decide', 'embed', 'rerank', 'transcribe', 'find-chunks'] as const),
]);

/** While an answer is written, its tokens are noted this often, milliseconds: a worker can be stopped at any time. */
const NOTE_MS = 1_000;

/** The budgets of all keys that have one. */
export class Budgets {
  readonly #spend: Spend;
  readonly #keys = new Map<string, KeyBudget>();

  constructor(spend: Spend) {
    this.#spend = spend;
  }

  /** The budget of a key, as it is stored now; undefined: it has none. */
  of(key: StoredKey): KeyBudget | undefined {
    if (key.tokensPerDay === undefined) return undefined;
    const budget = this.#keys.get(key.id) ?? new KeyBudget(key.id, this.#spend);
    this.#keys.set(key.id, budget);
    budget.learn(key.tokensPerDay, tokensToday(key));
    return budget;
  }
}

interface RunningUse {
  /** Tokens of the job that are stored. */
  stored: number;
  storedAt: number;
  hasBegun: boolean;
}

/**
 * A key's use of its budget. A job is refused if no tokens are left when it begins, or when its turn comes: it may have
 * waited behind other jobs of the same key. The tokens of an answer are stored before its end is passed on, so that
 * they count when the client's next request is checked.
 */
export class KeyBudget implements JobFollower {
  readonly #id: string;
  readonly #spend: Spend;
  readonly #running = new Map<JobMeter, RunningUse>();
  #limit = 0;
  /** Tokens that are stored, and until when they count. */
  #stored = 0;
  #until = 0;

  constructor(id: string, spend: Spend) {
    this.#id = id;
    this.#spend = spend;
  }

  /** @param stored - what the key has used today, as it was stored a moment ago */
  learn(limit: number, stored: number): void {
    this.#limit = limit;
    this.#note(stored);
  }

  began({ op }: { op: ApiOperation }, meter: JobMeter): void {
    if (!COSTS.has(op)) return;
    this.#refuseIfUsed(meter);
    this.#running.set(meter, { stored: 0, storedAt: performance.now(), hasBegun: false });
  }

  async took({ type }: EventOf<ApiOperation>, meter: JobMeter): Promise<void> {
    const use = this.#running.get(meter);
    if (!use || type === 'queued') return;
    if (!use.hasBegun) this.#refuseIfUsed(meter);
    use.hasBegun = true;
    if (type === 'finish') await this.#store(meter, use);
    else if (performance.now() - use.storedAt > NOTE_MS) void this.#store(meter, use);
  }

  async ended(meter: JobMeter): Promise<void> {
    const use = this.#running.get(meter);
    if (use) await this.#store(meter, use);
    this.#running.delete(meter);
  }

  /** @param own - the meter of the job to check: its own tokens do not count. @throws ApiError 429 */
  #refuseIfUsed(own: JobMeter): void {
    this.#note(0);
    let used = this.#stored;
    for (const [meter, { stored }] of this.#running) {
      if (meter !== own) used += meter.tokens - stored;
    }
    if (used >= this.#limit) throw tokenBudgetExceeded(this.#limit, budgetReset());
  }

  async #store(meter: JobMeter, use: RunningUse): Promise<void> {
    const tokens = meter.tokens - use.stored;
    use.storedAt = performance.now();
    if (tokens === 0) return;
    use.stored += tokens;
    this.#note(this.#stored + tokens);
    // Without storage, there would be no key.
    await this.#spend(this.#id, tokens).then(
      (all) => this.#note(all),
      () => undefined,
    );
  }

  /**
   * Notes the stored tokens. A number that was read before other jobs stored theirs is too low: the larger one is kept.
   */
  #note(stored: number): void {
    const until = budgetReset();
    this.#stored = until === this.#until ? Math.max(this.#stored, stored) : stored;
    this.#until = until;
  }
}
