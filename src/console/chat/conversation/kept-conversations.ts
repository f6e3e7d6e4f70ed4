import { deleteDB, openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import type { Conversation } from './conversation.ts';
import { merged } from './merged.ts';

const NAME = 'slashv1-console';
/** What tabs tell each other beside ids of conversations: that they are there. */
const HERE = '';

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
}

type Store = IDBPObjectStore<Schema, ['conversations'], 'conversations', 'readwrite'>;

/** Conversations in IndexedDB, which all tabs share. */
export class KeptConversations {
  readonly #others = new BroadcastChannel(NAME);
  #hasOthers = false;
  #database: Promise<IDBPDatabase<Schema>> | undefined;
  /** The stored states that this tab has taken over or written: what it saves next was made of them. */
  readonly #bases = new Map<string, Conversation>();

  /** @param onChange - called with the id of a conversation that another tab has changed or deleted */
  constructor(onChange: (id: string) => void) {
    this.#others.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (data !== HERE) onChange(data);
      else if (!this.#hasOthers) this.#others.postMessage(HERE);
      this.#hasOthers = true;
    });
    this.#others.postMessage(HERE);
  }

  async all(): Promise<Conversation[]> {
    const all = await (await this.#open()).getAll('conversations');
    for (const each of all) this.takeOver(each.id, each);
    return all;
  }

  async get(id: string): Promise<Conversation | undefined> {
    return (await this.#open()).get('conversations', id);
  }

  /** Notes that this tab goes on with what is stored; undefined: nothing is. */
  takeOver(id: string, stored: Conversation | undefined): void {
    if (stored) this.#bases.set(id, stored);
    else this.#bases.delete(id);
  }

  /** Stores conversations, with what other tabs have changed in them meanwhile. Those that others have deleted stay so. */
  async put(conversations: readonly Conversation[]): Promise<void> {
    const changes = conversations.map((ours) => ({ ours, base: this.#bases.get(ours.id) }));
    const ids = conversations.map(({ id }) => id);
    for (const each of conversations) this.takeOver(each.id, each);
    const hasOthers = this.#hasOthers;
    const request = (store: Store) =>
      changes.map(async ({ ours, base }) => {
        if (!base || !hasOthers) return store.put(ours);
        const stored = await store.get(ours.id);
        return stored && store.put(merged(base, ours, stored));
      });
    try {
      await this.#write(ids, request, hasOthers);
    } catch (error) {
      // The next states are not made of what is stored.
      for (const id of ids) this.takeOver(id, undefined);
      throw error;
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.takeOver(id, undefined);
    await this.#write(ids, (store) => ids.map((id) => store.delete(id)));
  }

  /** Deletes the database with all that is in it. */
  async destroy(): Promise<void> {
    const database = this.#database;
    this.#forget();
    (await database)?.close();
    await deleteDB(NAME);
  }

  /**
   * Makes all requests or none, also if the page is reloaded meanwhile.
   *
   * @param readsFirst - whether some requests are made only when others have been answered
   */
  async #write(
    ids: readonly string[],
    request: (store: Store) => Promise<unknown>[],
    readsFirst = false,
  ): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction('conversations', 'readwrite');
    const requests = request(transaction.store);
    // Without this, the browser commits only after it has told the page of each request, which may be gone by then.
    if (!readsFirst) transaction.commit();
    await Promise.all([...requests, transaction.done]);
    for (const id of ids) this.#others.postMessage(id);
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= openDB<Schema>(NAME, 1, {
      upgrade: (database) => {
        database.createObjectStore('conversations', { keyPath: 'id' });
      },
      // Called when another tab deletes the database.
      blocking: (_current, _next, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        this.#forget();
      },
      terminated: () => this.#forget(),
    });
    this.#database.catch(() => (this.#database = undefined));
    return this.#database;
  }

  /** Forgets a database that is gone, and what it had. */
  #forget(): void {
    this.#database = undefined;
    this.#bases.clear();
  }
}
