import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Conversation } from './conversation.ts';

const NAME = 'slashv1-console';

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
}

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

  async put(conversation: Conversation): Promise<void> {
    await (await this.#open()).put('conversations', conversation);
    this.#others.postMessage(conversation.id);
  }

  async delete(id: string): Promise<void> {
    await (await this.#open()).delete('conversations', id);
    this.#others.postMessage(id);
  }

  /** Deletes the database with all that is in it. */
  async destroy(): Promise<void> {
    const database = this.#database;
    this.#database = undefined;
    (await database)?.close();
    await deleteDB(NAME);
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
