import { expect, test, vi } from 'vitest';
import { keepResponse } from '../../../../sw/worker/keep-response.ts';

const FILE = new Request('https://a/llamacpp.wasm');

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
  const put = async (_request: Request, response: Response) => {
    const text = [await response.text(), response.headers.get('x-of') ?? ''];
    outcome.written.push(text.join(' ').trim());
  };
  const match = vi.fn(() => Promise.resolve(kept));
  const onCancel = () => (outcome.isCancelled = true);
  const response = new Response(bodyOf(content, onCancel), { headers });
  await keepResponse({ match, put } as unknown as Cache, FILE, response);
  expect(match).toHaveBeenCalledWith(FILE);
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

test('what the server says has not changed is neither read nor written', async () => {
  const headers = { etag: '"1"' };
  expect(await keep(old(headers), 'same', headers)).toEqual({ written: [], isCancelled: true });
});

test('a new version is written', async () => {
  const { written } = await keep(old({ etag: '"1"' }), 'new', { etag: '"2"' });
  expect(written).toEqual(['new']);
});

test('if the server says nothing of it, the content is compared', async () => {
  expect((await keep(old(), 'same')).written).toEqual([]);
  expect((await keep(old(), 'sama', { 'x-of': 'new' })).written).toEqual(['sama new']);
  expect((await keep(old(), 'longer')).written).toEqual(['longer']);
});

test.each(['content-security-policy', 'cross-origin-embedder-policy'])(
  'the same content with another %s is written',
  async (name) => {
    const etag = { etag: '"1"' };
    const { written } = await keep(old({ ...etag, [name]: 'a' }), 'same', { ...etag, [name]: 'b' });
    expect(written).toEqual(['same']);
  },
);
