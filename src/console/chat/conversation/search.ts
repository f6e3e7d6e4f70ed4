import { titleOf, type Conversation } from './conversation.ts';

/** Whether a conversation has all words of a query in its title, its texts or the names of its files. */
export function hasWords(conversation: Conversation, query: string): boolean {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const texts = conversation.turns.flatMap(({ text, attachments = [] }) => [
    text,
    ...attachments.map(({ name }) => name),
  ]);
  const all = folded([titleOf(conversation), ...texts].join('\n'));
  return words.every((word) => all.includes(word));
}

/** Without case and accents: `Crème` is found by `creme`. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The pinned ones first, each in the given order. */
export function pinnedFirst(list: readonly Conversation[]): Conversation[] {
  return [...list.filter(({ isPinned }) => isPinned), ...list.filter(({ isPinned }) => !isPinned)];
}
