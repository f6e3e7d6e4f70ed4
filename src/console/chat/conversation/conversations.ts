import { signal, type ReadonlySignal } from '@preact/signals';
import { messages } from '../../messages/messages.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import { isPrivate, type Conversation } from './conversation.ts';
import { KeptConversations } from './kept-conversations.ts';

/**
 * The conversations. They are kept on this device, where all tabs share them. Private ones, and all if the user does not
 * want them to be kept, are only in the memory of this tab and end with it.
 */
export class Conversations {
  readonly #list = signal<readonly Conversation[]>([]);
  readonly #isKept = signal(isKeptHere());
  readonly #failure = signal('');
  readonly #kept = new KeptConversations((id) => void this.refresh(id));
  /** The newest first. */
  readonly list: ReadonlySignal<readonly Conversation[]> = this.#list;
  readonly isKept: ReadonlySignal<boolean> = this.#isKept;
  /** Why they could not be kept; empty: nothing failed. */
  readonly failure: ReadonlySignal<string> = this.#failure;

  constructor() {
    // This event says that another tab has changed a setting.
    addEventListener('storage', () => (this.#isKept.value = isKeptHere()));
  }

  /** Reads the conversations that were kept. */
  async restore(): Promise<void> {
    if (!this.#isKept.value) return;
    await this.#attempt(async () => {
      for (const conversation of await this.#kept.all()) this.#put(conversation);
    });
  }

  find(id: string): Conversation | undefined {
    return this.#list.value.find((conversation) => conversation.id === id);
  }

  /** Adds a conversation, or replaces the one with its id. */
  async save(conversation: Conversation): Promise<void> {
    this.#put(conversation);
    if (this.#keeps(conversation)) await this.#attempt(() => this.#kept.put(conversation));
  }

  async delete(id: string): Promise<void> {
    this.#remove(id);
    if (this.#isKept.value) await this.#attempt(() => this.#kept.delete(id));
  }

  /**
   * Deletes all conversations, with the database that holds them.
   *
   * @throws the browser's error if they are stored still
   */
  async deleteAll(): Promise<void> {
    const kept = this.#list.value;
    this.#list.value = [];
    // Other tabs are told, because they show the same ones.
    if (this.#isKept.value) for (const { id } of kept) await this.#kept.delete(id);
    await this.#kept.destroy();
  }

  /** Adds imported conversations. Those that are here already, and are as new, stay as they are. */
  async add(imported: readonly Conversation[]): Promise<void> {
    for (const conversation of imported) {
      const known = this.find(conversation.id);
      if (!known || known.changedAt < conversation.changedAt) await this.save(conversation);
    }
  }

  /** Sets whether conversations are kept on this device. If not, deletes the kept ones. */
  async keep(isKept: boolean): Promise<void> {
    this.#isKept.value = isKept;
    writeSetting('keep', isKept ? null : 'no');
    await this.#attempt(async () => {
      if (!isKept) return this.#kept.destroy();
      const kept = this.#list.value.filter((conversation) => this.#keeps(conversation));
      for (const conversation of kept) await this.#kept.put(conversation);
    });
  }

  /** Reads a conversation again, which another tab may have changed or deleted. */
  async refresh(id: string): Promise<void> {
    if (!this.#isKept.value) return;
    await this.#attempt(async () => {
      let before: Conversation | undefined;
      let stored: Conversation | undefined;
      do {
        before = this.find(id);
        stored = await this.#kept.get(id);
        // What was saved here meanwhile is newer than what was read.
      } while (this.find(id) !== before);
      if (stored) this.#put(stored);
      else if (!isPrivate(id)) this.#remove(id);
    });
  }

  #keeps({ id }: Conversation): boolean {
    return this.#isKept.value && !isPrivate(id);
  }

  #put(conversation: Conversation): void {
    const others = this.#list.value.filter(({ id }) => id !== conversation.id);
    this.#list.value = [...others, conversation].sort((a, b) => b.changedAt - a.changedAt);
  }

  #remove(id: string): void {
    this.#list.value = this.#list.value.filter((conversation) => conversation.id !== id);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failure.value = '';
    } catch {
      this.#failure.value = messages.value.chat.list.cannotKeep;
    }
  }
}

function isKeptHere(): boolean {
  return readSetting('keep') !== 'no';
}
