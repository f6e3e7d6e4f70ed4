import { signal, type ReadonlySignal } from '@preact/signals';
import { messages } from '../../messages/messages.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import type { Conversation } from './conversation.ts';
import { KeptConversations } from './kept-conversations.ts';

/**
 * The conversations of this tab. They are kept in memory and end with the tab, unless the user wants them
 * to be kept on this device: then all tabs share them.
 */
export class Conversations {
  readonly #list = signal<readonly Conversation[]>([]);
  readonly #isKept = signal(isKeptHere());
  readonly #failure = signal('');
  readonly #kept = new KeptConversations((id) => void this.#read(id));
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
    if (this.#isKept.value) await this.#attempt(() => this.#kept.put(conversation));
  }

  async delete(id: string): Promise<void> {
    this.#remove(id);
    if (this.#isKept.value) await this.#attempt(() => this.#kept.delete(id));
  }

  async deleteAll(): Promise<void> {
    for (const { id } of this.#list.value) await this.delete(id);
  }

  /** Sets whether conversations are kept on this device. If not, deletes the kept ones. */
  async keep(isKept: boolean): Promise<void> {
    this.#isKept.value = isKept;
    writeSetting('keep', isKept ? 'yes' : null);
    await this.#attempt(async () => {
      if (!isKept) return this.#kept.destroy();
      for (const conversation of this.#list.value) await this.#kept.put(conversation);
    });
  }

  /** Updates a conversation that another tab has changed or deleted. */
  async #read(id: string): Promise<void> {
    if (!this.#isKept.value) return;
    await this.#attempt(async () => {
      const conversation = await this.#kept.get(id);
      if (conversation) this.#put(conversation);
      else this.#remove(id);
    });
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
  return readSetting('keep') === 'yes';
}
