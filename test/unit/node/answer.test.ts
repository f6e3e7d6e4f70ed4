import { afterEach, expect, test, vi } from 'vitest';
import { Answer } from '../../../src/console/bridge/answer.ts';
import {
  BRIDGE_WINDOW_BYTES,
  type FromBridgePage,
} from '../../../src/core/realms/bridge-messages.ts';

afterEach(() => vi.unstubAllGlobals());

const PIECE = 64 * 1024;

/** An answer whose `fetch` returns `response`, and what it sends to the bridge. */
function answerWith(response: Response) {
  const fetchInPage = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(response));
  vi.stubGlobal('fetch', fetchInPage);
  const messages: FromBridgePage[] = [];
  const frames: Uint8Array[] = [];
  const answer = new Answer(
    { type: 'request', id: 7, method: 'POST', path: '/models', headers: [['x-a', 'b']] },
    { send: (message) => messages.push(message), sendBody: (frame) => frames.push(frame) },
  );
  return { answer, messages, frames, fetchInPage };
}

/** A body of several windows. It ends, so that the test fails and does not hang if the window is ignored. */
function longBody() {
  let left = (4 * BRIDGE_WINDOW_BYTES) / PIECE;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (left-- > 0) controller.enqueue(new Uint8Array(PIECE));
    else controller.close();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

/** Here an answer runs in microtasks only: after a turn of the event loop it has ended or waits. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('at most a window of bytes is in flight; credit allows more', async () => {
  const { answer, frames } = answerWith(new Response(longBody()));
  void answer.run('http://page.test/v1');
  await settled();
  expect(frames.length).toBe(BRIDGE_WINDOW_BYTES / PIECE);
  answer.credit(2 * PIECE);
  await settled();
  expect(frames.length).toBe(BRIDGE_WINDOW_BYTES / PIECE + 2);
});

test('an abort ends an answer that waits for credit, and nothing more is sent', async () => {
  const { answer, messages } = answerWith(new Response(longBody()));
  const run = answer.run('http://page.test/v1');
  await settled();
  answer.abort();
  await run;
  expect(messages.map(({ type }) => type)).toEqual(['response']);
});

test('the pieces of the request body are fetched as one body', async () => {
  const { answer, fetchInPage } = answerWith(new Response(null, { status: 204 }));
  answer.addBody(new TextEncoder().encode('{"a":'));
  answer.addBody(new TextEncoder().encode('1}'));
  await answer.run('http://page.test/base/v1');
  const [url, init] = fetchInPage.mock.calls[0] ?? [];
  expect(url).toBe('http://page.test/base/v1/models');
  expect(init).toMatchObject({ method: 'POST', headers: [['x-a', 'b']] });
  expect(init?.body instanceof Blob && (await init.body.text())).toBe('{"a":1}');
});

test('headers about an encoding that fetch has decoded are left out', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-length': '20', 'x-kept': '1' };
  const { answer, messages } = answerWith(new Response('decoded', { headers }));
  await answer.run('http://page.test/v1');
  const [head] = messages;
  expect(head?.type === 'response' && head.headers.map(([name]) => name)).toEqual([
    'content-type',
    'x-kept',
  ]);
});

test('a fetch that fails is reported with its reason', async () => {
  const { answer, messages } = answerWith(new Response());
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await answer.run('http://page.test/v1');
  expect(messages).toEqual([{ type: 'response-error', id: 7, message: 'Failed to fetch' }]);
});
