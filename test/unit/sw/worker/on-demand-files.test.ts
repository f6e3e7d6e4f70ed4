import { afterEach, expect, test, vi } from 'vitest';
import { freshAddress } from '../../../../src/core/site/import-script.ts';
import {
  isOnDemandFile,
  keepLoadedFiles,
  onDemandFile,
} from '../../../../sw/worker/on-demand-files.ts';

afterEach(() => vi.unstubAllGlobals());

/** The globals of a service worker that are used here; `works` collects work that outlives answers. */
function stubWorker(answers: (Response | Error)[], put?: () => Promise<void>) {
  const kept = new Map<string, Response>();
  const cache = {
    match: ({ url }: Request) => Promise.resolve(kept.get(url)?.clone()),
    put:
      put ??
      (({ url }: Request, response: Response) => Promise.resolve(void kept.set(url, response))),
    keys: ({ url: wanted }: Request) => {
      const path = (url: string) => url.split('?', 1)[0];
      const same = [...kept.keys()].filter((url) => path(url) === path(wanted));
      return Promise.resolve(same.map((url) => ({ url })));
    },
    delete: ({ url }: Request) => Promise.resolve(kept.delete(url)),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
  vi.stubGlobal('fetch', () => {
    const answer = answers.shift() ?? new TypeError('Failed to fetch');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const works: Promise<unknown>[] = [];
  const ask = (file = 'onnx.js') =>
    onDemandFile(new Request(`http://site/repo/${file}`), '/repo/', (work) => works.push(work));
  return { ask, kept, settled: () => Promise.all(works) };
}

test('recognises its files by their path', () => {
  expect(isOnDemandFile('/repo/onnx.js', '/repo/')).toBe(true);
  expect(isOnDemandFile('/repo/onnx-gpu.wasm', '/repo/')).toBe(true);
  expect(isOnDemandFile('/repo/llamacpp.wasm', '/repo/')).toBe(true);
  expect(isOnDemandFile('/onnx.js', '/repo/')).toBe(false);
  expect(isOnDemandFile('/repo/engine.js', '/repo/')).toBe(false);
});

test('the network is asked first; without one, the last copy is used', async () => {
  const { ask, settled } = stubWorker([new Response('one'), new Response('two')]);
  expect(await (await ask()).text()).toBe('one');
  expect(await (await ask()).text()).toBe('two');
  await settled();
  expect(await (await ask()).text()).toBe('two');
});

test('what a fresh address gives replaces the kept copy, also one with the same headers, and is kept for the plain address', async () => {
  const answers = ['damaged', 'whole'].map(
    (text) => new Response(text, { headers: { etag: '1' } }),
  );
  const { ask, kept, settled } = stubWorker(answers);
  await ask('webllm.js?1');
  await settled();
  const { href } = freshAddress(new URL('http://site/repo/webllm.js?1'));
  expect(await (await ask(href.slice('http://site/repo/'.length))).text()).toBe('whole');
  await settled();
  expect([...kept.keys()]).toEqual(['http://site/repo/webllm.js?1']);
  expect(await (await ask('webllm.js?1')).text()).toBe('whole');
});

test('a fresh address without a network gives the copy of the plain one', async () => {
  const { ask, settled } = stubWorker([new Response('one')]);
  await ask('llamacpp-threads.js');
  await settled();
  const { href } = freshAddress(new URL('http://site/repo/llamacpp-threads.js'));
  expect(await (await ask(href.slice('http://site/repo/'.length))).text()).toBe('one');
});

test('a file whose address names its version is fetched once, and older versions are forgotten', async () => {
  const { ask, kept, settled } = stubWorker([new Response('one'), new Response('two')]);
  for (const text of ['one', 'one']) {
    expect(await (await ask('webllm.js?1')).text()).toBe(text);
    await settled();
  }
  expect(await (await ask('webllm.js?2')).text()).toBe('two');
  await settled();
  expect([...kept.keys()]).toEqual(['http://site/repo/webllm.js?2']);
});

test('a file comes from the network if the browser cannot open its cache', async () => {
  const { ask, settled } = stubWorker([new Response('one'), new Response('two')]);
  vi.stubGlobal('caches', { open: () => Promise.reject(new Error('The disk is broken.')) });
  expect(await (await ask()).text()).toBe('one');
  expect(await (await ask('webllm.js?1')).text()).toBe('two');
  await settled();
});

test('a file that was never fetched fails, and an error response is not kept', async () => {
  const { ask, kept, settled } = stubWorker([new Response('gone', { status: 404 })]);
  expect((await ask()).status).toBe(404);
  await settled();
  expect(kept.size).toBe(0);
  await expect(ask()).rejects.toThrow('Failed to fetch');
});

test('the page gets its file even if the disk is full', async () => {
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const { ask, settled } = stubWorker([new Response('one')], full);
  expect(await (await ask()).text()).toBe('one');
  await expect(settled()).resolves.toBeDefined();
});

test('what a page loaded before is kept, from the cache of the browser', async () => {
  vi.stubGlobal('location', { origin: 'http://site' });
  const answers = ['old', 'known'].map((text) => new Response(text));
  const { ask, kept, settled } = stubWorker(answers);
  for (const file of ['api.js?1', 'onnx.js']) await ask(file);
  await settled();
  const fetchFile = vi.fn<(request: Request) => Promise<Response>>(async ({ url }) => {
    if (url.endsWith('llamacpp.js')) throw new TypeError('Failed to fetch');
    return new Response('loaded', { status: url.endsWith('webllm.js') ? 404 : 200 });
  });
  vi.stubGlobal('fetch', fetchFile);
  const loaded = ['onnx.js', 'llamacpp.js', 'webllm.js', 'api.js?2', 'app.js'];
  const urls = loaded.map((file) => `http://site/repo/${file}`);
  await keepLoadedFiles([...urls, 'http://elsewhere/repo/onnx.js'], '/repo/');
  const requests = fetchFile.mock.calls.map(([request]) => request);
  expect(requests.map(({ url }) => url)).toEqual(urls.slice(1, 4));
  expect(requests.every(({ cache }) => cache === 'force-cache')).toBe(true);
  // All files that can be stored are stored, and replace older versions.
  expect([...kept.keys()]).toEqual(['http://site/repo/onnx.js', 'http://site/repo/api.js?2']);
});
