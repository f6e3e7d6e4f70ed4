import 'fake-indexeddb/auto';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Answerer } from '../../../../src/console/chat/answer/answerer.ts';
import { Asker } from '../../../../src/console/chat/answer/asker.ts';
import {
  newConversation,
  withoutTurn,
  withTurn,
  type Turn,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { Conversations } from '../../../../src/console/chat/conversation/conversations.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';
import { stubWindow } from '../../support/fakes/fake-window.ts';

type Parts = ConstructorParameters<typeof Asker>;

beforeEach(() => {
  stubWindow('https://site.test/');
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The answer that the API sends to one request. */
class Sending {
  readonly signal: AbortSignal | undefined;
  /** The body of the request. */
  readonly asked: string;
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor({ signal: aborting, body: asked }: RequestInit = {}) {
    this.signal = aborting ?? undefined;
    this.asked = typeof asked === 'string' ? asked : '';
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => (this.#controller = controller),
    });
    this.signal?.addEventListener('abort', () => this.#controller?.error(this.signal?.reason));
    this.response = new Response(body);
  }

  say(content: string): void {
    this.#send(JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));
  }

  end(): void {
    this.#send('[DONE]');
  }

  #send(data: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
  }
}

/** An answerer with real conversations, and what the API sends, the latest request last. */
function openAnswerer() {
  const sent: Sending[] = [];
  const api: Parts[0] = {
    baseURL: 'https://site.test/v1',
    apiKey: 'k',
    fetch: (_url, init) => {
      const sending = new Sending(init);
      sent.push(sending);
      return Promise.resolve(sending.response);
    },
  };
  const shelf = {
    selected: signal('m'),
    whenSelected: () => Promise.resolve('m'),
    isOfBrowser: () => false,
    models: signal([]),
  };
  const listed = { seeing: signal(new Set()), elsewhere: signal(new Map()) };
  const conversations = new Conversations();
  const models = shelf as unknown as Parts[1];
  const asker = new Asker(api, models, listed as unknown as Parts[2], () => undefined);
  const answerer = new Answerer(asker, models, conversations);
  return { answerer, conversations, sent };
}

/** Waits for a condition. `expect.poll` would move the clock of tests that have their own. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Asks in a new chat; resolves when the answer has begun. */
async function begin({ answerer, sent }: ReturnType<typeof openAnswerer>) {
  const chat = newConversation();
  const before = sent.length;
  const done = answerer.ask(chat, { text: 'Hello' });
  await until(() => sent.length > before);
  const sending = sent.at(-1) as Sending;
  sending.say('One');
  await until(() => answerer.running.value.get(chat.id)?.text.value === 'One');
  return { id: chat.id, done, sending };
}

test('an answer is written to its end', async () => {
  const opened = openAnswerer();
  const { id, done, sending } = await begin(opened);
  expect(sending.signal?.aborted).toBe(false);
  sending.say(' two.');
  sending.end();
  await done;
  expect(opened.conversations.find(id)?.turns.map(({ text }) => text)).toEqual([
    'Hello',
    'One two.',
  ]);
});

test('a chat that is deleted while it answers lets the model write no more', async () => {
  const opened = openAnswerer();
  const { id, done, sending } = await begin(opened);
  const other = await begin(opened);
  await opened.conversations.delete(id);
  expect(sending.signal?.aborted).toBe(true);
  await done;
  expect(opened.conversations.find(id)).toBeUndefined();
  expect(other.sending.signal?.aborted).toBe(false);
});

test('a question that is deleted while it is answered lets the model write no more', async () => {
  const opened = openAnswerer();
  const { id, done, sending } = await begin(opened);
  const chat = opened.conversations.find(id);
  const [question] = chat?.turns ?? [];
  if (chat) await opened.conversations.save(withoutTurn(chat, question as Turn));
  expect(sending.signal?.aborted).toBe(true);
  await done;
  expect(opened.conversations.find(id)?.turns).toEqual([]);
});

test('chats that are answered at once keep their places, and only what is new is saved', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 1 });
  const opened = openAnswerer();
  const { conversations } = opened;
  const first = await begin(opened);
  vi.setSystemTime(2);
  const second = await begin(opened);
  const order = () => conversations.list.value.map(({ id }) => id);
  vi.advanceTimersByTime(1000);
  expect(conversations.find(first.id)).toMatchObject({
    changedAt: 1,
    turns: [{}, { text: 'One' }],
  });
  expect(order()).toEqual([second.id, first.id]);

  const before = conversations.list.value;
  vi.advanceTimersByTime(1000);
  expect(conversations.list.value).toBe(before);

  first.sending.end();
  await first.done;
  expect(order()).toEqual([first.id, second.id]);
  second.sending.end();
  await second.done;
});

test('an answer with sources is continued by a model that reads the passages again', async () => {
  const { answerer, conversations, sent } = openAnswerer();
  const question: Turn = { id: 'q', parent: null, role: 'user', text: 'How high?' };
  const answer: Turn = {
    id: 'a',
    parent: 'q',
    role: 'assistant',
    text: 'It is',
    sources: [{ file: 'tarn.txt', text: '41 metres' }],
    citations: [{ at: 2, file: 'tarn.txt' }],
    progress: 'unfinished',
  };
  const chat = withTurn(withTurn(newConversation(), question), answer);
  await conversations.save(chat);
  const done = answerer.goOn(chat, answer);
  await until(() => sent.length > 0);
  const [sending] = sent as [Sending];
  expect(JSON.parse(sending.asked).messages).toEqual([
    { role: 'user', content: '<file name="tarn.txt">\n41 metres\n</file>\n\nHow high?' },
    { role: 'assistant', content: 'It is' },
  ]);
  sending.say(' high.');
  sending.end();
  await done;
  const { progress: _, ...whole } = { ...answer, text: 'It is high.' };
  expect(conversations.find(chat.id)?.turns.at(-1)).toMatchObject(whole);
});
