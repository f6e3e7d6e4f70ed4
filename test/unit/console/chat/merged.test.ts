import { expect, test } from 'vitest';
import type { Conversation, Turn } from '../../../../src/console/chat/conversation/conversation.ts';
import { merged } from '../../../../src/console/chat/conversation/merged.ts';

function turn(id: string, parent: string | null = null, text = id): Turn {
  return { id, parent, role: 'user', text };
}

function chat(turns: Turn[], more: Partial<Conversation> = {}): Conversation {
  const last = turns.at(-1)?.id ?? null;
  const settings = { system: '', schema: '' };
  return { id: 'c', changedAt: 1, settings, turns, last, ...more };
}

test('turns that either tab has added are there, and what this tab shows stays shown', () => {
  const base = chat([turn('a')]);
  const ours = { ...base, turns: [...base.turns, turn('ours', 'a')], last: 'ours' };
  const stored = structuredClone({ ...base, turns: [...base.turns, turn('b', 'a')], last: 'b' });
  const { turns, last } = merged(base, ours, stored);
  expect(turns.map(({ id }) => id)).toEqual(['a', 'b', 'ours']);
  expect(last).toBe('ours');
  expect(merged(base, { ...base, title: 'Named' }, stored)).toEqual({ ...stored, title: 'Named' });
});

test('what one tab deletes stays deleted, and what it changes stays changed', () => {
  const base = chat([turn('a'), turn('b', 'a'), turn('c', 'b')], { isPinned: true });
  const [a = turn('a'), b = turn('b', 'a'), c = turn('c', 'b')] = base.turns;
  const { isPinned: _, ...unpinned } = base;
  const ours = { ...unpinned, turns: [a, b], last: 'b' };
  const changed = { ...base, changedAt: 5, turns: [turn('a', null, 'new'), b, c] };
  expect(merged(base, ours, structuredClone(changed))).toEqual({
    ...ours,
    changedAt: 5,
    turns: [turn('a', null, 'new'), b],
  });

  // The other tab has deleted what this one writes on.
  const written = { ...base, turns: [a, b, { ...c, text: 'more' }] };
  const shorter = structuredClone({ ...base, turns: [a, b], last: 'b' });
  expect(merged(base, written, shorter)).toEqual(shorter);
  // And this one what the other one shows.
  const shown = structuredClone({ ...base, turns: [a, b, c, turn('d', 'c')], last: 'c' });
  expect(merged({ ...base, last: 'b' }, { ...base, turns: [a, b], last: 'b' }, shown).last).toBe(
    'b',
  );
});
