import { unwrap, type DBSchema, type IDBPDatabase } from 'idb';

/**
 * Whether a worker that ends with several open transactions leaves some of them open. WebKitGTK 2.50 does, about once
 * in thirty times, whether the worker was terminated or its page was left: from then on nothing can be written to the
 * database, and parts of it cannot be read, until the tab is closed. A worker with one transaction at a time leaves none.
 */
export function losesTransactions(userAgent: string): boolean {
  // Browsers on Chromium name WebKit, too.
  return userAgent.includes('AppleWebKit/') && !userAgent.includes('Chrome/');
}

/** Delays each opening until the previous caller's transaction has ended. Callers must begin theirs at once. */
export function oneTransactionAtATime<S extends DBSchema>(
  open: () => Promise<IDBPDatabase<S>>,
): () => Promise<IDBPDatabase<S>> {
  const transactions = new WeakMap<IDBPDatabase<S>, Transactions>();
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const turn = last.then(open);
    last = turn.then(
      (db) => {
        let those = transactions.get(db);
        if (!those) transactions.set(db, (those = new Transactions(unwrap(db))));
        return those.next();
      },
      () => undefined,
    );
    return turn;
  };
}

/** The transactions of a connection. */
class Transactions {
  #open = 0;
  #onChange: (() => void) | undefined;

  constructor(db: IDBDatabase) {
    const begin = db.transaction.bind(db);
    db.transaction = (...args) => {
      const begun = begin(...args);
      this.#change(1);
      // Exactly one of the two fires.
      for (const type of ['complete', 'abort']) {
        begun.addEventListener(type, () => this.#change(-1));
      }
      return begun;
    };
  }

  /** Resolves when the next transaction has ended, or after a timer's turn in which none has begun. */
  async next(): Promise<void> {
    await Promise.race([this.#changed(), new Promise((resolve) => setTimeout(resolve))]);
    while (this.#open > 0) await this.#changed();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => (this.#onChange = resolve));
  }

  #change(by: number): void {
    this.#open += by;
    this.#onChange?.();
  }
}
