import { deleteDB, openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import type { Conversation } from './conversation.ts';

const NAME = 'slashv1-console';

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
}

type Store = IDBPObjectStore<Schema, ['conversations'], 'conversations', 'readwrite'>;

/** Conversations in IndexedDB, which all tabs share. */
export class KeptConversations {
  readonly #others = new BroadcastChannel(NAME);
  #database: Promise<IDBPDatabase<Schema>> | undefined;

  /** @param onChange - called with the id of a conversation that another tab has changed or deleted */
  constructor(onChange: (id: string) => void) {
    this.#others.addEventListener('message', ({ data }: MessageEvent<string>) => onChange(data));
  }

  async all(): Promise<Conversation[]> {
    return (await this.#open()).getAll('conversations');
  }

  async get(id: string): Promise<Conversation | undefined> {
    return (await this.#open()).get('conversations', id);
  }

  async put(conversations: readonly Conversation[]): Promise<void> {
    const ids = conversations.map(({ id }) => id);
    await this.#write(ids, (store) => conversations.map((each) => store.put(each)));
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#write(ids, (store) => ids.map((id) => store.delete(id)));
  }

  /** Deletes the database with all that is in it. */
  async destroy(): Promise<void> {
    const database = this.#database;
    this.#database = undefined;
    (await database)?.close();
    await deleteDB(NAME);
  }

  /** Makes all requests or none, also if the page is reloaded meanwhile. */
  async #write(
    ids: readonly string[],
    request: (store: Store) => Promise<unknown>[],
  ): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction('conversations', 'readwrite');
    const requests = request(transaction.store);
    // Without this, the browser commits only after it has told the page of each request, which may be gone by then.
    transaction.commit();
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
        this.#database = undefined;
      },
      terminated: () => (this.#database = undefined),
    });
    this.#database.catch(() => (this.#database = undefined));
    return this.#database;
  }
}
