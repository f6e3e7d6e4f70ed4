import 'fake-indexeddb/auto';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Answerer } from '../../../../src/console/chat/answer/answerer.ts';
import { Asker } from '../../../../src/console/chat/answer/asker.ts';
import {
  newConversation,
  withoutTurn,
  type Turn,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { Conversations } from '../../../../src/console/chat/conversation/conversations.ts';
import { FakeLocks } from '../../support/fake-locks.ts';
import { stubWindow } from '../../support/fake-window.ts';

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
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(aborting: AbortSignal | null | undefined) {
    this.signal = aborting ?? undefined;
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
      const sending = new Sending(init?.signal);
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
