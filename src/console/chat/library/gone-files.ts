import { member } from '../../json.ts';
import { storedOf, type StoredAttachment } from '../attachments/attachment.ts';
import type { Conversation, Turn } from '../conversation/conversation.ts';
import { text } from '../conversation/files/values.ts';

/** The stored files that the API no longer has, by the error of a request that searches them; undefined: it says something else. */
export function goneFiles(
  error: unknown,
  turns: readonly Turn[],
  stores: readonly string[],
): StoredAttachment | undefined {
  const [, at] =
    /\.vector_store_ids\[(\d+)\]$/.exec(text(member(member(error, 'error'), 'param'))) ?? [];
  const store = stores[Number(at)];
  return storedOf(turns).find((each) => each.store === store);
}

/** The conversation with other stored files in the place of those that are gone; undefined: with none. */
export function withFilesInstead(
  conversation: Conversation,
  { store }: StoredAttachment,
  instead: StoredAttachment | undefined,
): Conversation {
  const turns = conversation.turns.map((turn) => {
    if (!turn.attachments) return turn;
    const attachments = turn.attachments.flatMap((each) => {
      if (each.kind !== 'stored' || each.store !== store) return each;
      return instead ?? [];
    });
    return { ...turn, attachments };
  });
  return { ...conversation, turns };
}
