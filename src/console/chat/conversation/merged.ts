import type { Conversation, Turn } from './conversation.ts';

/**
 * A conversation with what two tabs have changed in it at the same time. What both have changed is as this tab has it,
 * but what the other one has deleted stays deleted. States share the objects that have not changed.
 *
 * @param base - the state that this tab began with
 * @param ours - what this tab has made of it
 * @param stored - what is stored now
 */
export function merged(base: Conversation, ours: Conversation, stored: Conversation): Conversation {
  const turns = mergedTurns(base.turns, ours.turns, stored.turns);
  const from = (name: keyof Conversation) => (ours[name] === base[name] ? stored : ours);
  const { title } = from('title');
  const { isPinned } = from('isPinned');
  const { last } = from('last');
  return {
    id: ours.id,
    changedAt: Math.max(ours.changedAt, stored.changedAt),
    settings: from('settings').settings,
    ...(title !== undefined && { title }),
    ...(isPinned && { isPinned }),
    turns,
    last: turns.some(({ id }) => id === last) ? last : ours.last,
  };
}

function mergedTurns(
  base: readonly Turn[],
  ours: readonly Turn[],
  stored: readonly Turn[],
): Turn[] {
  const before = byId(base);
  const here = byId(ours);
  const there = byId(stored);
  const kept = stored.flatMap((turn) => {
    const own = here.get(turn.id);
    if (!own) return before.has(turn.id) ? [] : turn;
    return own === before.get(turn.id) ? turn : own;
  });
  return [...kept, ...ours.filter(({ id }) => !there.has(id) && !before.has(id))];
}

function byId(turns: readonly Turn[]): Map<string, Turn> {
  return new Map(turns.map((turn) => [turn.id, turn]));
}
