import { expect, test } from 'vitest';
import {
  alternatives,
  branchedOff,
  edited,
  hasOlderQuestions,
  isPrivate,
  joined,
  messagesOf,
  newConversation,
  PRIVATE,
  roundsOf,
  showing,
  shownTurns,
  titleOf,
  withoutOldest,
  withoutTurn,
  withTurn,
  withTurnsOf,
  type Conversation,
  type Turn,
} from '../../../../src/console/chat/conversation/conversation.ts';

function turn(id: string, parent: string | null, role: Turn['role'] = 'user'): Turn {
  return { id, parent, role, text: id };
}

function conversation(...turns: Turn[]): Conversation {
  return turns.reduce((before, next) => withTurn(before, next), newConversation());
}

const TWO = conversation(
  turn('q1', null),
  turn('a1', 'q1', 'assistant'),
  turn('q2', 'a1'),
  turn('a2', 'q2', 'assistant'),
);

function shown(of: Conversation): string[] {
  return shownTurns(of).map(({ id }) => id);
}

test('the shown turns are the path to the last one', () => {
  expect(shown(TWO)).toEqual(['q1', 'a1', 'q2', 'a2']);
  expect(shown(newConversation())).toEqual([]);
});

test('a question that is asked anew stands beside the old one, which can be shown again', () => {
  const asked = withTurn(TWO, turn('q2b', 'a1'));
  expect(shown(asked)).toEqual(['q1', 'a1', 'q2b']);
  const old = alternatives(asked, turn('q2b', 'a1'));
  expect(old.map(({ id }) => id)).toEqual(['q2', 'q2b']);
  expect(shown(showing(asked, turn('q2', 'a1')))).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('a known turn is replaced where it stands', () => {
  const changed = withTurn(TWO, { ...turn('a1', 'q1', 'assistant'), text: 'new' });
  expect(shown(changed)).toEqual(['q1', 'a1', 'q2', 'a2']);
  expect(shownTurns(changed)[1]?.text).toBe('new');
});

test('a turn is removed with all that follows it', () => {
  expect(shown(withoutTurn(TWO, turn('q2', 'a1')))).toEqual(['q1', 'a1']);
  expect(withoutTurn(TWO, turn('q1', null)).turns).toEqual([]);
  const asked = withTurn(TWO, turn('q2b', 'a1'));
  expect(shown(withoutTurn(asked, turn('q2b', 'a1')))).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('a removed turn that is not shown changes nothing that is', () => {
  const asked = withTurn(TWO, turn('q2b', 'a1'));
  expect(shown(withoutTurn(asked, turn('q2', 'a1')))).toEqual(['q1', 'a1', 'q2b']);
});

test('a conversation branches off with the turns up to one of them', () => {
  const branched = branchedOff(TWO, turn('a1', 'q1', 'assistant'));
  expect(shown(branched)).toEqual(['q1', 'a1']);
  expect(branched.id).not.toBe(TWO.id);
});

test('only an answer to a later question can leave older ones out, also after calls of functions', () => {
  const called = conversation(
    turn('q1', null),
    turn('call', 'q1', 'assistant'),
    turn('results', 'call', 'tool'),
    turn('a1', 'results', 'assistant'),
    turn('q2', 'a1'),
    turn('a2', 'q2', 'assistant'),
  );
  const able = called.turns.filter((each) => hasOlderQuestions(called, each)).map(({ id }) => id);
  expect(able).toEqual(['q2', 'a2']);
});

test('results of functions are counted since the last question', () => {
  const called = withTurn(withTurn(TWO, turn('q3', 'a2')), turn('a3', 'q3', 'assistant'));
  const results = withTurn(called, turn('r1', 'a3', 'tool'));
  const again = withTurn(
    withTurn(results, turn('a4', 'r1', 'assistant')),
    turn('r2', 'a4', 'tool'),
  );
  expect([called, results, again].map(roundsOf)).toEqual([0, 1, 2]);
  expect(roundsOf(withTurn(again, turn('q4', 'r2')))).toBe(0);
});

test('the model reads the system prompt and all turns with text', () => {
  const failed: Turn = { ...turn('a3', 'q3', 'assistant'), text: '' };
  const long = withTurn(withTurn(TWO, turn('q3', 'a2')), failed);
  const settings = { system: 'Be brief.', schema: '' };
  expect(messagesOf(shownTurns(long), settings, false).map(({ content }) => content)).toEqual([
    ...['Be brief.', 'q1', 'a1', 'q2', 'a2', 'q3'],
  ]);
});

test('the oldest question goes with its answer, and the system prompt and the last question stay', () => {
  const messages = messagesOf(shownTurns(TWO).slice(0, 3), { system: 's', schema: '' }, false);
  const shorter = withoutOldest(messages) ?? [];
  expect(shorter.map(({ content }) => content)).toEqual(['s', 'q2']);
  expect(withoutOldest(shorter)).toBeUndefined();
});

test.each([
  ['', 'New chat'],
  ['  Hi\n there ', 'Hi there'],
  ['x'.repeat(60), `${'x'.repeat(47)}…`],
])('the title of %j', (text, title) => {
  expect(titleOf(conversation({ ...turn('q', null), text }))).toBe(title);
});

test('turns that were deleted come back, and what was asked since stays', () => {
  const deleted = withoutTurn(TWO, turn('q2', 'a1'));
  const since = withTurn(deleted, turn('q3', 'a1'));
  const back = withTurnsOf(since, TWO);
  expect(shown(back)).toEqual(['q1', 'a1', 'q2', 'a2']);
  expect(alternatives(back, turn('q2', 'a1')).map(({ id }) => id)).toEqual(['q2', 'q3']);
});

test('a name of its own comes before the first question, and a branch of a private chat is private', () => {
  expect(titleOf({ ...TWO, title: 'Names' })).toBe('Names');
  const secret = withTurn(newConversation(PRIVATE), turn('q', null));
  expect(isPrivate(branchedOff(secret, turn('q', null)).id)).toBe(true);
  expect(isPrivate(branchedOff(TWO, turn('q1', null)).id)).toBe(false);
});

test('the address of a private chat that has ended begins another private chat', () => {
  const { id } = newConversation(PRIVATE);
  const next = newConversation(id);
  expect(isPrivate(next.id)).toBe(true);
  expect(next.id).not.toBe(id);
  expect(isPrivate(newConversation(newConversation().id).id)).toBe(false);
});

test('two states of a chat are joined: all turns, and of what both have, the newer', () => {
  const start = { ...conversation(turn('q1', null), turn('a1', 'q1', 'assistant')), changedAt: 1 };
  const here = { ...withTurn(start, turn('q2', 'a1')), changedAt: 2, title: 'Here' };
  const longer = { ...turn('a1', 'q1', 'assistant'), text: 'longer' };
  const other = withTurn(withTurn(start, longer), turn('q3', 'a1'));

  const newer = joined(here, { ...other, changedAt: 3 });
  expect(newer.turns.map(({ text }) => text)).toEqual(['q1', 'longer', 'q2', 'q3']);
  expect(shown(newer)).toEqual(['q1', 'a1', 'q3']);
  expect(newer.changedAt).toBe(3);

  // The date of a file may be unknown.
  const undated = joined(here, { ...other, changedAt: 0, title: 'Other' });
  expect(undated.turns.map(({ text }) => text)).toEqual(['q1', 'a1', 'q3', 'q2']);
  expect(shown(undated)).toEqual(['q1', 'a1', 'q2']);
  expect(undated).toMatchObject({ changedAt: 2, title: 'Here' });

  expect(joined(here, start)).toBe(here);
  expect(joined(here, { ...here, title: 'Other' })).toBe(here);
});

test('an edited answer stands beside the old one, and no tab is taken to write it', () => {
  const answer = turn('a1', 'q1', 'assistant');
  const whole = edited(answer, 'Mine.');
  expect(whole).toEqual({ ...answer, id: whole.id, text: 'Mine.', notes: ['Edited'] });
  expect(whole.id).not.toBe('a1');
  const failure = { message: 'Broken', code: '', hint: '' };
  const interrupted = edited({ ...answer, progress: 'writing', failure }, 'Mine.');
  expect(interrupted.progress).toBe('unfinished');
  expect(interrupted).not.toHaveProperty('failure');
});
