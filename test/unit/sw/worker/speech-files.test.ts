import { afterEach, expect, test, vi } from 'vitest';
import { isSpeechFile, speechFile } from '../../../../sw/worker/speech-files.ts';

afterEach(() => vi.unstubAllGlobals());

/** The globals of a service worker, as far as they are used; `keep` collects what goes on after answers. */
function stubWorker(answers: (Response | Error)[], put?: () => Promise<void>) {
  const kept = new Map<string, Response>();
  const cache = {
    match: ({ url }: Request) => Promise.resolve(kept.get(url)?.clone()),
    put:
      put ??
      (({ url }: Request, response: Response) => Promise.resolve(void kept.set(url, response))),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
  vi.stubGlobal('fetch', () => {
    const answer = answers.shift() ?? new TypeError('Failed to fetch');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const works: Promise<unknown>[] = [];
  const ask = () =>
    speechFile(new Request('http://site/repo/speech.js'), '/repo/', (work) => works.push(work));
  return { ask, kept, settled: () => Promise.all(works) };
}

test('knows its files by their place', () => {
  expect(isSpeechFile('/repo/speech.js', '/repo/')).toBe(true);
  expect(isSpeechFile('/repo/speech-gpu.wasm', '/repo/')).toBe(true);
  expect(isSpeechFile('/speech.js', '/repo/')).toBe(false);
  expect(isSpeechFile('/repo/engine.js', '/repo/')).toBe(false);
});

test('the network is asked first; without one the file comes as it came last', async () => {
  const { ask, settled } = stubWorker([new Response('one'), new Response('two')]);
  expect(await (await ask()).text()).toBe('one');
  expect(await (await ask()).text()).toBe('two');
  await settled();
  expect(await (await ask()).text()).toBe('two');
});

test('what never came is a failure, and what is no file is not kept', async () => {
  const { ask, kept, settled } = stubWorker([new Response('gone', { status: 404 })]);
  expect((await ask()).status).toBe(404);
  await settled();
  expect(kept.size).toBe(0);
  await expect(ask()).rejects.toThrow('Failed to fetch');
});

test('a full disk does not keep the file from its page', async () => {
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const { ask, settled } = stubWorker([new Response('one')], full);
  expect(await (await ask()).text()).toBe('one');
  await expect(settled()).resolves.toBeDefined();
});
