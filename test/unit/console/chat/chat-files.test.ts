import { describe, expect, test } from 'vitest';
import {
  newConversation,
  shownTurns,
  withTurn,
  type Conversation,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { asMarkdown, fileName } from '../../../../src/console/chat/conversation/files/export.ts';
import { importedConversations } from '../../../../src/console/chat/conversation/files/import.ts';
import { hasWords, pinnedFirst } from '../../../../src/console/chat/conversation/search.ts';

function asked(text: string, more: Partial<Conversation> = {}): Conversation {
  const turn = { id: `${text}-id`, parent: null, role: 'user', text } as const;
  return { ...withTurn(newConversation(), turn), ...more };
}

function shown(of: Conversation | undefined): string[] {
  return of ? shownTurns(of).map(({ role, text }) => `${role}: ${text}`) : [];
}

test('a chat is found by words of its title, its texts and its files, without case and accents', () => {
  const attachments = [{ kind: 'file', id: 'f', name: 'report.pdf', text: '' }] as const;
  const chat = withTurn(asked('A recipe for Crème brûlée', { title: 'Dinner' }), {
    id: 'b',
    parent: null,
    role: 'user',
    text: '',
    attachments,
  });
  for (const query of ['', '  ', 'creme', 'BRÛLÉE recipe', 'dinner creme', 'report']) {
    expect(hasWords(chat, query), query).toBe(true);
  }
  expect(hasWords(chat, 'creme lunch')).toBe(false);
});

test('pinned chats come first, and the order is kept otherwise', () => {
  const [a, b, c] = [asked('a'), asked('b', { isPinned: true }), asked('c')];
  expect(pinnedFirst([a, b, c])).toEqual([b, a, c]);
});

test("a file's name is the chat's title, without what file systems refuse", () => {
  expect(fileName(asked('What is 1/2 of "x"?'), 'md')).toBe('What is 1 2 of x.md');
  expect(fileName(asked('...'), 'json')).toBe('chat.json');
});

describe('import', () => {
  test('an own export comes back as it was', () => {
    const chat: Conversation = {
      ...asked('Hello', { title: 'Greeting', isPinned: true }),
      settings: {
        system: 'Be kind.',
        schema: '',
        temperature: 0.5,
        thinking: false,
        tools: '[]',
        code: { f: 'return 1;' },
      },
    };
    const whole = withTurn(chat, {
      id: 'a1',
      parent: 'Hello-id',
      role: 'assistant',
      text: 'Hi',
      notes: ['Stopped'],
      reasoning: 'Hm.',
      toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }],
      progress: 'unfinished',
    });
    expect(importedConversations(JSON.parse(JSON.stringify([whole])))).toEqual([whole]);
    expect(importedConversations(JSON.parse(JSON.stringify(whole)))).toEqual([whole]);
    expect(asMarkdown(whole)).toContain('# Greeting');
  });

  test('pictures of other hosts, unknown members and turns without a beginning are left out', () => {
    const image = (url: string) => ({ kind: 'image', id: 'i', name: 'p', url });
    const attachments = [image('https://spy.test/p.png'), image('data:image/png;base64,AA==')];
    const turns = [
      { id: 'q', parent: null, role: 'user', text: 'x', attachments, evil: 1 },
      { id: 'lost', parent: 'nowhere', role: 'user', text: 'y' },
      { id: 'self', parent: 'self', role: 'user', text: 'z' },
      { id: 'q', parent: 'q', role: 'user', text: 'again' },
      { id: 's', parent: 'q', role: 'system', text: 's' },
    ];
    const [chat] = importedConversations({ id: 'c', turns, last: 'lost' });
    expect(chat?.turns).toEqual([
      { id: 'q', parent: null, role: 'user', text: 'x', attachments: [attachments[1]] },
    ]);
    expect(chat?.last).toBe('q');
  });

  test.each(['\ud800', 'private', 'private-1', 'a/b', 'x'.repeat(65), '../keys'])(
    'a chat whose id %j cannot stand in an address gets another one',
    (id) => {
      const [own] = importedConversations([{ ...asked('Hello'), id }]);
      expect(own?.id).toMatch(/^[0-9a-f-]{36}$/);
      const messages = { q: { parentId: null, role: 'user', content: 'Hi' } };
      const [foreign] = importedConversations({ id, chat: { history: { messages } } });
      expect(foreign?.id).toMatch(/^[0-9a-f-]{36}$/);
      expect(() => encodeURIComponent(own?.id ?? '')).not.toThrow();
    },
  );

  test('ChatGPT: system messages and tools are left out, and the shown branch is shown', () => {
    const node = (parent: string | null, role: string, ...parts: unknown[]) => ({
      parent,
      message: {
        author: { role },
        content: { content_type: 'text', parts },
        metadata: { model_slug: 'gpt-4o' },
      },
    });
    const file = [
      {
        title: 'Rome',
        conversation_id: 'c1',
        update_time: 1700.5,
        current_node: 'a2',
        mapping: {
          a2: node('tool', 'assistant', 'Shown'),
          root: { parent: null, message: null },
          system: node('root', 'system', 'You are'),
          q: node('system', 'user', { content_type: 'image_asset_pointer' }, 'Where?'),
          a1: node('q', 'assistant', 'Old'),
          tool: node('q', 'tool', 'search'),
        },
      },
    ];
    const [chat] = importedConversations(file);
    expect(chat).toMatchObject({ id: 'c1', title: 'Rome', changedAt: 1_700_500 });
    expect(shown(chat)).toEqual(['user: Where?', 'assistant: Shown']);
    expect(chat?.turns.map(({ model }) => model)).toEqual([undefined, 'gpt-4o', 'gpt-4o']);
    expect(chat?.turns).toHaveLength(3);
  });

  test('Open WebUI: the tree, the pin and the time are taken', () => {
    const messages = {
      q: { id: 'q', parentId: null, role: 'user', content: 'Hi' },
      a: { id: 'a', parentId: 'q', role: 'assistant', content: 'Hello', model: 'qwen3:8b' },
      b: { id: 'b', parentId: 'q', role: 'assistant', content: 'Hey' },
    };
    const chat = { title: 'Greeting', history: { messages, currentId: 'a' } };
    expect(importedConversations({ id: 'undated', chat })[0]?.changedAt).toBe(0);
    const [found] = importedConversations([
      { id: 'w', title: 'Greeting', updated_at: 1700, pinned: true, chat },
    ]);
    expect(found).toMatchObject({ id: 'w', changedAt: 1_700_000, isPinned: true });
    expect(shown(found)).toEqual(['user: Hi', 'assistant: Hello']);
    expect(found?.turns.map(({ model }) => model)).toContain('qwen3:8b');
    expect(found?.turns).toHaveLength(3);
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [[1, {}, { mapping: 3 }, { chat: { history: {} } }]],
    [
      {
        mapping: {
          a: { parent: 'b', message: { author: { role: 'user' }, content: { parts: ['x'] } } },
          b: { parent: 'a' },
        },
        current_node: 'a',
      },
    ],
  ])('%j has no chats', (file) => {
    expect(importedConversations(file)).toEqual([]);
  });
});
