import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchAnswered, networkFirst } from '../../../../sw/worker/network-first.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const request = new Request('http://site/page');

/** Answers one request after the other; undefined: never. Notes how each asks the HTTP cache. */
function stubFetch(answers: (Response | Error | undefined)[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', ({ cache }: Request) => {
    asked.push(cache);
    const answer = answers.shift();
    if (answer === undefined) return new Promise(() => undefined);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return asked;
}

/** What comes, for a file with or without a copy, and what is stored. */
function begin(kept?: string) {
  const stored: Promise<string>[] = [];
  const copy = () => Promise.resolve(kept === undefined ? undefined : new Response(kept));
  const answer = networkFirst(fetchAnswered(request), copy, (response) =>
    stored.push(response.text()),
  );
  const text = answer.then((response) => response.text());
  text.catch(() => undefined);
  return { text, stored };
}

test('an answer is stored', async () => {
  const asked = stubFetch([new Response('new')]);
  const { text, stored } = begin('old');
  expect(await text).toBe('new');
  expect(await Promise.all(stored)).toEqual(['new']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['default']);
});

test('a request without an answer is sent again, past the HTTP cache', async () => {
  const asked = stubFetch([undefined, new Response('new')]);
  const { text, stored } = begin('old');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await text).toBe('new');
  expect(await Promise.all(stored)).toEqual(['new']);
  expect(asked).toEqual(['default', 'no-store']);
});

test('the first request may still be the one that is answered', async () => {
  const late = Promise.withResolvers<Response>();
  const answers = [() => late.promise, () => Promise.reject(new TypeError('Failed to fetch'))];
  vi.stubGlobal('fetch', () => answers.shift()?.());
  const { text } = begin('old');
  await vi.advanceTimersByTimeAsync(6_000);
  late.resolve(new Response('new'));
  expect(await text).toBe('new');
});

test('a server that says nothing leaves the copy', async () => {
  stubFetch([]);
  const { text, stored } = begin('old');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await text).toBe('old');
  expect(stored).toEqual([]);
});

test('without a copy, a slow answer is waited for', async () => {
  const late = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => late.promise);
  const { text } = begin();
  await vi.advanceTimersByTimeAsync(100_000);
  late.resolve(new Response('new'));
  expect(await text).toBe('new');
});

test('without a network, the copy is used; without a copy, the error is the one of the network', async () => {
  stubFetch([new TypeError('Failed to fetch'), new TypeError('Failed to fetch')]);
  expect(await begin('old').text).toBe('old');
  await expect(begin().text).rejects.toThrow('Failed to fetch');
});
