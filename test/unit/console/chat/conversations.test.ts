import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  newConversation,
  PRIVATE,
  withTurn,
  type Conversation,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { Conversations } from '../../../../src/console/chat/conversation/conversations.ts';
import { stubWindow } from '../../support/fake-window.ts';

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
