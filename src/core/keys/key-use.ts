import type { StoredKey } from '../database/database.ts';
import type { SmallDatabase } from '../database/small-database.ts';

const DAY_MS = 86_400_000;

/** Precision of a key's last use, milliseconds: not every request writes to the database. */
const USE_MS = 60_000;

type Used = Pick<StoredKey, 'used'>;

/** Tokens that a key has used since the day of UTC began. */
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

/** Counts what keys have used. All tabs and workers add to the same numbers. */
export class KeyUse {
  readonly #open: () => Promise<SmallDatabase>;

  constructor(open: () => Promise<SmallDatabase>) {
    this.#open = open;
  }

  /** Records that a request came with the key. */
  async note({ id, lastUsedAt = 0 }: StoredKey): Promise<void> {
    const now = Date.now();
    // The clock may have been set back.
    if (Math.abs(now - lastUsedAt) < USE_MS) return;
    await this.#change(id, (key) => ({ ...key, lastUsedAt: now }));
  }

  /** Adds tokens to what a key has used. @param id - of the key @returns what it has used today; 0 if it is revoked */
  async spend(id: string, tokens: number): Promise<number> {
    const now = Date.now();
    const key = await this.#change(id, (stored) => ({
      ...stored,
      used: { day: dayOf(now), tokens: tokensToday(stored, now) + tokens },
    }));
    return key ? tokensToday(key, now) : 0;
  }

  /** Changes a stored key. A key that was revoked meanwhile stays revoked. */
  async #change(id: string, change: (key: StoredKey) => StoredKey): Promise<StoredKey | undefined> {
    const { store, done } = (await this.#open()).transaction('keys', 'readwrite');
    const changing = async () => {
      const key = await store.get(id);
      const changed = key && change(key);
      if (changed) await store.put(changed);
      return changed;
    };
    const [changed] = await Promise.all([changing(), done]);
    return changed;
  }
}
