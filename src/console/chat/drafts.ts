import { effect } from '@preact/signals';
import { readSetting, storedDrafts, writeSetting } from '../ui/settings.ts';
import { Draft } from './attachments/draft.ts';
import type { Library } from './library/library.ts';
import { isPrivate } from './conversation/conversation.ts';
import type { Conversations } from './conversation/conversations.ts';

/**
 * The drafts of all chats, by the item of the chat's address. They stay while other pages are shown. Their texts are
 * also stored, so that they outlive a reload, unless the chat is private or chats are not kept.
 */
export class Drafts {
  readonly #conversations: Conversations;
  readonly #library: Library;
  readonly #drafts = new Map<string, Draft>();

  constructor(conversations: Conversations, library: Library) {
    this.#conversations = conversations;
    this.#library = library;
    // A draft goes with its chat.
    effect(() => {
      const isKept = conversations.isKept.value;
      // Chats that could not be read are not deleted.
      if (isKept && conversations.failure.value !== '') return;
      const chats = new Set(['', ...conversations.list.value.map(({ id }) => id)]);
      for (const item of storedDrafts()) {
        if (!isKept || !chats.has(item)) writeSetting(`draft-${item}`, null);
      }
    });
  }

  /** @param item - empty: a new chat */
  of(item: string): Draft {
    const known = this.#drafts.get(item);
    if (known) return known;
    const mayStore = () => this.#conversations.isKept.peek() && !isPrivate(item);
    const draft = new Draft(this.#library, mayStore);
    const name = `draft-${item}` as const;
    let own = readSetting(name) ?? '';
    draft.text.value = own;
    this.#drafts.set(item, draft);
    draft.text.subscribe((text) => {
      if (text === '') {
        // A draft that another tab has stored stays.
        if (readSetting(name) === own) writeSetting(name, null);
      } else if (mayStore()) {
        own = text;
        writeSetting(name, text);
      }
    });
    return draft;
  }

  clear(): void {
    for (const draft of this.#drafts.values()) {
      draft.take();
      draft.text.value = '';
    }
  }
}
