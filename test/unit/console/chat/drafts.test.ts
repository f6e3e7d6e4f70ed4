import { signal } from '@preact/signals';
import { afterEach, expect, test, vi } from 'vitest';
import {
  newConversation,
  PRIVATE,
  type Conversation,
} from '../../../../src/console/chat/conversation/conversation.ts';
import type { Library } from '../../../../src/console/chat/library/library.ts';
import type { Conversations } from '../../../../src/console/chat/conversation/conversations.ts';
import { Drafts } from '../../../../src/console/chat/drafts.ts';
import { stubStorage } from '../../support/fakes/fake-storage.ts';

afterEach(() => vi.unstubAllGlobals());

/** The drafts of one tab. */
function openDrafts(...chats: Conversation[]) {
  const list = signal<readonly Conversation[]>(chats);
  const isKept = signal(true);
  const failure = signal('');
  return {
    drafts: new Drafts({ list, isKept, failure } as unknown as Conversations, {} as Library),
    list,
    isKept,
    failure,
  };
}

test('a draft is stored until it is sent, its chat is deleted, or chats are no longer kept', () => {
  const stored = stubStorage();
  const chat = newConversation();
  const { drafts, list, isKept } = openDrafts(chat);
  drafts.of('').text.value = 'new';
  drafts.of(chat.id).text.value = 'more';
  expect(openDrafts(chat).drafts.of(chat.id).text.value).toBe('more');
  list.value = [];
  expect([...stored.values()]).toEqual(['new']);
  drafts.of('').text.value = '';
  expect(stored.size).toBe(0);
  drafts.of('').text.value = 'again';
  isKept.value = false;
  expect(stored.size).toBe(0);
});

test('while chats cannot be read, their drafts stay', () => {
  const stored = stubStorage();
  const chat = newConversation();
  const { drafts, list, failure } = openDrafts(chat);
  drafts.of(chat.id).text.value = 'more';
  failure.value = 'The database is broken.';
  list.value = [];
  expect([...stored.values()]).toEqual(['more']);
  list.value = [chat];
  failure.value = '';
  expect([...stored.values()]).toEqual(['more']);
});

test('a draft that is sent does not take with it what another tab has stored', () => {
  const stored = stubStorage();
  const [here, there] = [openDrafts().drafts.of(''), openDrafts().drafts.of('')];
  here.text.value = 'here';
  there.text.value = 'there';
  here.text.value = '';
  expect([...stored.values()]).toEqual(['there']);
  there.text.value = '';
  expect(stored.size).toBe(0);
});

test('drafts of private chats are never stored, also after the chat has ended', () => {
  const stored = stubStorage();
  const { drafts } = openDrafts();
  for (const item of [PRIVATE, newConversation(PRIVATE).id]) drafts.of(item).text.value = 'secret';
  expect(stored.size).toBe(0);
});
