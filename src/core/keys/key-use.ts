import type { StoredKey } from '../database/database.ts';
import type { SmallDatabase } from '../database/small-database.ts';

const DAY_MS = 86_400_000;

/** How exactly the last use of a key is known: not every request writes into the database. */
const USE_MS = 60_000;

type Used = Pick<StoredKey, 'used'>;

/** What a key has used of its budget since the day of UTC began. */
export function tokensToday({ used }: Used, now = Date.now()): number {
  return used?.day === dayOf(now) ? used.tokens : 0;
}

/** When the budgets are full again, Unix milliseconds. */
export function budgetReset(now = Date.now()): number {
  return (dayOf(now) + 1) * DAY_MS;
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Keeps what keys have used. All tabs and workers add to the same numbers. */
export class KeyUse {
  readonly #open: () => Promise<SmallDatabase>;

  constructor(open: () => Promise<SmallDatabase>) {
    this.#open = open;
  }

  /** A request came with the key. */
  async note({ id, lastUsedAt = 0 }: StoredKey): Promise<void> {
    const now = Date.now();
    // The clock may have been set back.
    if (Math.abs(now - lastUsedAt) < USE_MS) return;
    await this.#change(id, (key) => ({ ...key, lastUsedAt: now }));
  }

  /** @param id - of the key */
  async spend(id: string, tokens: number): Promise<void> {
    const now = Date.now();
    await this.#change(id, (key) => ({
      ...key,
      used: { day: dayOf(now), tokens: tokensToday(key, now) + tokens },
    }));
  }

  /** A key that was revoked meanwhile stays so. */
  async #change(id: string, change: (key: StoredKey) => StoredKey): Promise<void> {
    const { store, done } = (await this.#open()).transaction('keys', 'readwrite');
    const changing = store.get(id).then((key) => key && store.put(change(key)));
    await Promise.all([changing, done]);
  }
}
