import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  newConversation,
  PRIVATE,
  withTurn,
  type Conversation,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { Conversations } from '../../../../src/console/chat/conversation/conversations.ts';
import { stubWindow } from '../../support/fakes/fake-window.ts';

beforeEach(() => void stubWindow('https://site.test/'));
afterEach(() => vi.unstubAllGlobals());

function asked(text: string, item = ''): Conversation {
  const question = { id: `${text}-id`, parent: null, role: 'user', text } as const;
  return withTurn(newConversation(item), question);
}

test('what is saved while the stored state is read is not replaced by it', async () => {
  const conversations = new Conversations();
  const first = asked('first');
  await conversations.save(first);
  const reading = conversations.refresh(first.id);
  const second = { ...first, title: 'second' };
  await Promise.all([reading, conversations.save(second)]);
  expect(conversations.find(first.id)).toEqual(second);

  const fresh = asked('fresh');
  const readingNone = conversations.refresh(fresh.id);
  await Promise.all([readingNone, conversations.save(fresh)]);
  expect(conversations.find(fresh.id)).toEqual(fresh);
});

test('what another tab saves and deletes comes and goes here, but private chats stay', async () => {
  const [here, there] = [new Conversations(), new Conversations()];
  const chat = asked('shared');
  await here.save(chat);
  await expect.poll(() => there.find(chat.id)).toEqual(chat);
  const secret = asked('secret', PRIVATE);
  await there.save(secret);
  await there.refresh(secret.id);
  await here.delete(chat.id);
  await expect.poll(() => there.list.value).toEqual([secret]);
});

test('what two tabs change in a chat at the same time is all kept', async () => {
  const [here, there] = [new Conversations(), new Conversations()];
  const chat = asked('shared');
  await here.save(chat);
  await expect.poll(() => there.find(chat.id)).toEqual(chat);
  const known = there.find(chat.id) ?? chat;
  const follows = (text: string) =>
    ({ id: `${text}-id`, parent: 'shared-id', role: 'assistant', text }) as const;
  await Promise.all([
    here.save({ ...withTurn(chat, follows('left')), title: 'Named' }),
    there.save(withTurn(known, follows('right'))),
  ]);
  const texts = (tab: Conversations) => {
    const now = tab.find(chat.id);
    return now && [now.title, ...now.turns.map(({ text }) => text).sort()];
  };
  for (const tab of [here, there]) {
    await expect.poll(() => texts(tab)).toEqual(['Named', 'left', 'right', 'shared']);
  }

  const now = here.find(chat.id) ?? chat;
  await Promise.all([
    there.delete(chat.id),
    here.save(withTurn(now, { ...follows('left'), text: 'more' })),
  ]);
  for (const tab of [here, there]) await expect.poll(() => texts(tab)).toBeUndefined();
  // A chat that is imported again is stored again.
  await here.save(chat);
  await expect.poll(() => texts(there)).toEqual([undefined, 'shared']);
});

test('imported chats are joined with those that are here, in one change of the list', async () => {
  const conversations = new Conversations();
  const known = { ...asked('known'), changedAt: 5 };
  await conversations.save(known);
  const changes: string[][] = [];
  const end = conversations.list.subscribe((list) => changes.push(list.map(({ id }) => id)));
  const answer = { id: 'a', parent: 'known-id', role: 'assistant', text: 'Yes.' } as const;
  const longer = { ...withTurn(known, answer), changedAt: 9 };
  const fresh = { ...asked('fresh'), changedAt: 1 };
  expect(await conversations.add([longer, fresh, fresh])).toBe(2);
  expect(changes).toEqual([[known.id], [known.id, fresh.id]]);
  expect(conversations.find(known.id)?.turns).toHaveLength(2);
  expect(await conversations.add([longer, known, fresh])).toBe(0);
  end();

  const later = new Conversations();
  await later.restore();
  expect(later.find(known.id)).toEqual(conversations.find(known.id));
});
