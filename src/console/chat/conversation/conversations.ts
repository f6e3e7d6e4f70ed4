import { signal, type ReadonlySignal } from '@preact/signals';
import { messages } from '../../messages/messages.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import { isPrivate, joined, type Conversation } from './conversation.ts';
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
      this.#put(await this.#kept.all());
    });
  }

  find(id: string): Conversation | undefined {
    return this.#list.value.find((conversation) => conversation.id === id);
  }

  /** Adds conversations, or replaces those with their ids. */
  async save(...conversations: Conversation[]): Promise<void> {
    this.#put(conversations);
    await this.#store(conversations);
  }

  async delete(...ids: string[]): Promise<void> {
    this.#remove(ids);
    if (this.#isKept.value) await this.#attempt(() => this.#kept.delete(ids));
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
    if (this.#isKept.value) await this.#kept.delete(kept.map(({ id }) => id));
    await this.#kept.destroy();
  }

  /** Adds imported conversations, or their turns if they are here already. Returns how many have something new. */
  async add(imported: readonly Conversation[]): Promise<number> {
    const changed = new Map<string, Conversation>();
    for (const conversation of imported) {
      const { id } = conversation;
      const known = changed.get(id) ?? this.find(id);
      const now = known ? joined(known, conversation) : conversation;
      if (now !== known) changed.set(id, now);
    }
    await this.save(...changed.values());
    return changed.size;
  }

  /** Sets whether conversations are kept on this device. If not, deletes the kept ones. */
  async keep(isKept: boolean): Promise<void> {
    this.#isKept.value = isKept;
    writeSetting('keep', isKept ? null : 'no');
    if (isKept) await this.#store(this.#list.value);
    else await this.#attempt(() => this.#kept.destroy());
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
      this.#kept.takeOver(id, stored);
      if (stored) this.#put([stored]);
      else if (!isPrivate(id)) this.#remove([id]);
    });
  }

  /** Stores those that are kept. */
  async #store(changed: readonly Conversation[]): Promise<void> {
    const kept = changed.filter(({ id }) => this.#isKept.value && !isPrivate(id));
    if (kept.length === 0) return;
    await this.#attempt(() => this.#kept.put(kept));
  }

  #put(changed: readonly Conversation[]): void {
    const others = this.#without(changed.map(({ id }) => id));
    this.#list.value = [...others, ...changed].sort((a, b) => b.changedAt - a.changedAt);
  }

  #remove(ids: readonly string[]): void {
    this.#list.value = this.#without(ids);
  }

  #without(ids: readonly string[]): Conversation[] {
    const gone = new Set(ids);
    return this.#list.value.filter(({ id }) => !gone.has(id));
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
