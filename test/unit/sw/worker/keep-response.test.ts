import { expect, test, vi } from 'vitest';
import { keepResponse } from '../../../../sw/worker/keep-response.ts';

const URL_OF_FILE = 'https://a/llamacpp.wasm';

interface Kept {
  /** What was written, with the header `x-of`. */
  written: string[];
  /** Whether the rest of the new response was given up. */
  isCancelled: boolean;
}

/** Keeps a response where another one is kept. */
async function keep(
  kept: Response | undefined,
  content: string,
  headers: Record<string, string> = {},
): Promise<Kept> {
  const outcome: Kept = { written: [], isCancelled: false };
  const put = async (_url: string, response: Response) => {
    const text = [await response.text(), response.headers.get('x-of') ?? ''];
    outcome.written.push(text.join(' ').trim());
  };
  const match = vi.fn(() => Promise.resolve(kept));
  const onCancel = () => (outcome.isCancelled = true);
  const response = new Response(bodyOf(content, onCancel), { headers });
  await keepResponse({ match, put } as unknown as Cache, URL_OF_FILE, response);
  expect(match).toHaveBeenCalledWith(URL_OF_FILE, { ignoreVary: true });
  return outcome;
}

function bodyOf(content: string, cancel?: () => void) {
  const pull = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new TextEncoder().encode(content));
    controller.close();
  };
  return new ReadableStream({ pull, ...(cancel && { cancel }) }, { highWaterMark: 0 });
}

const old = (headers: Record<string, string> = {}) => new Response(bodyOf('same'), { headers });

test('what is not kept yet is written', async () => {
  expect((await keep(undefined, 'new')).written).toEqual(['new']);
});

test.each([{ etag: '"1"' }, { 'last-modified': 'Wed, 25 Nov 2026 12:00:00 GMT' }])(
  'what the server says has not changed is neither read nor written: %o',
  async (headers) => {
    expect(await keep(old(headers), 'same', headers)).toEqual({ written: [], isCancelled: true });
  },
);

test('a new version is written', async () => {
  const { written } = await keep(old({ etag: '"1"' }), 'new', { etag: '"2"' });
  expect(written).toEqual(['new']);
});

test('the entity tag decides, not the time', async () => {
  const time = { 'last-modified': 'Wed, 25 Nov 2026 12:00:00 GMT' };
  const { written } = await keep(old({ ...time, etag: '"1"' }), 'new', { ...time, etag: '"2"' });
  expect(written).toEqual(['new']);
});

test('if the server says nothing of it, the content is compared', async () => {
  expect((await keep(old(), 'same')).written).toEqual([]);
  expect((await keep(old(), 'sama', { 'x-of': 'new' })).written).toEqual(['sama new']);
  expect((await keep(old(), 'longer')).written).toEqual(['longer']);
});

test.each(['content-security-policy', 'cross-origin-opener-policy', 'content-type'])(
  'the same content with another %s is written',
  async (name) => {
    const etag = { etag: '"1"' };
    const { written } = await keep(old({ ...etag, [name]: 'a' }), 'same', { ...etag, [name]: 'b' });
    expect(written).toEqual(['same']);
  },
);
