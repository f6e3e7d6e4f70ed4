import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import type { FileSource } from '../../support/servers/file-source.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';
import { say } from '../support/chat.ts';
import { fileServer } from '../support/hub/file-server.ts';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { flipStoredByte } from '../support/storage/flip-stored-byte.ts';
import { install, listed, remove } from '../support/models.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import { PACKS } from '../support/site.ts';

const TINY_GGUF = readFileSync(join(PACKS['tiny-chat'] ?? '', 'tiny-chat-F32.gguf'));
const REPOSITORY = 'someone/tiny-chat-GGUF';
const CPU: StartOptions = { engines: ['llamacpp'] };
/** Facts that the header tells. */
const FACTS = {
  task: 'chat',
  variant: { engine: 'llamacpp', quantization: 'F32' },
  quantization: 'F32',
  obstacles: [],
  bytes: TINY_GGUF.length,
};

const add = (page: Page, source: string) =>
  page.evaluate((text) => window.v1.models.add(text), source);

/** Adds a file as an `<input>` or a drop gives it to the page. */
const addFile = (page: Page, name: string, bytes: Buffer) =>
  page.evaluate(
    async ([fileName, base64]) => {
      const blob = await (await fetch(`data:;base64,${base64}`)).blob();
      return window.v1.models.add(new File([blob], fileName, { lastModified: 1e12 }));
    },
    [name, bytes.toString('base64')] as const,
  );

test('a GGUF of the hub is added by its header, installed, answers, and works offline', async ({
  fresh,
  site,
  closing,
}) => {
  const files = new Map([
    ['tiny-chat-F32.gguf', TINY_GGUF],
    ['tiny-chat-Q4_K_M.gguf', tinyGguf({ metadata: { 'general.architecture': { string: 'x' } } })],
    ['tiny.imatrix.gguf', Buffer.from('not a model')],
  ]);
  const hub = closing(await serveRepositories(new Map([[REPOSITORY, files]])));
  const options = { ...CPU, hub: hub.url };
  const page = await openStarted(fresh, site.url, options);
  await expect(add(page, REPOSITORY)).rejects.toThrow(/Q4_K_M\.gguf has the architecture "x"/);
  expect(await add(page, `${REPOSITORY}:F32`)).toBe(REPOSITORY);
  expect(hub.traffic.sent).toBeLessThan(TINY_GGUF.length);
  expect(await listed(page, REPOSITORY)).toMatchObject({ ...FACTS, state: 'available' });
  await install(page, REPOSITORY);
  expect(await say(page, CAPITAL, { model: REPOSITORY })).toBe(PARIS);

  await hub.close();
  await restart(page, options);
  expect(await say(page, CAPITAL, { model: REPOSITORY })).toBe(PARIS);
  expect(await listed(page, REPOSITORY)).toMatchObject({ ...FACTS, state: 'loaded' });
  await remove(page, REPOSITORY);
  expect(await listed(page, REPOSITORY)).toBeUndefined();
});

test('start() takes a GGUF’s URL, on a server with or without ranges', async ({
  fresh,
  site,
  closing,
}) => {
  const sources: Record<string, FileSource> = {
    '/ranges.gguf': { bytes: TINY_GGUF, etag: '"1"' },
    '/whole.gguf': { bytes: TINY_GGUF, ranges: false },
  };
  const server = closing(await fileServer(sources));
  const page = await openStarted(fresh, site.url, { ...CPU, model: `${server.url}ranges.gguf` });
  expect(await listed(page, 'ranges')).toMatchObject({ ...FACTS, state: 'loaded' });
  expect(await say(page, CAPITAL, { model: 'ranges' })).toBe(PARIS);
  expect(await add(page, `${server.url}whole.gguf`)).toBe('whole');
  await install(page, 'whole');
  expect(await say(page, CAPITAL, { model: 'whole' })).toBe(PARIS);
});

test('a URL that this page may not read is an error that says so', async ({
  fresh,
  site,
  closing,
}) => {
  const sources = { '/a.gguf': { bytes: TINY_GGUF } };
  const server = closing(await fileServer(sources, { cors: false }));
  const page = await openStarted(fresh, site.url, CPU);
  await expect(add(page, `${server.url}a.gguf`)).rejects.toThrow(
    /a\.gguf cannot be read from this page: .*does not allow other sites to read it \(CORS\)/,
  );
  expect(await listed(page, 'a')).toBeUndefined();
});

test('a file that the user picked is kept, answers, and is asked for when it is damaged', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, CPU);
  expect(await addFile(page, 'My tiny chat.gguf', TINY_GGUF)).toBe('My tiny chat');
  expect(await listed(page, 'My tiny chat')).toMatchObject({ ...FACTS, state: 'installed' });
  expect(await say(page, CAPITAL, { model: 'My tiny chat' })).toBe(PARIS);

  await restart(page, CPU);
  expect(await say(page, CAPITAL, { model: 'My tiny chat' })).toBe(PARIS);

  await page.evaluate(() => window.v1.stop());
  await page.evaluate(flipStoredByte, ['My tiny chat', 'My tiny chat.gguf'] as const);
  await restart(page, CPU);
  await expect(say(page, CAPITAL, { model: 'My tiny chat' })).rejects.toThrow(
    /Add the file once more/,
  );
  expect(await addFile(page, 'My tiny chat.gguf', TINY_GGUF)).toBe('My tiny chat');
  expect(await say(page, CAPITAL, { model: 'My tiny chat' })).toBe(PARIS);
});

test('a file that is no model is refused, and nothing of it is kept', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, CPU);
  const cut = TINY_GGUF.subarray(0, TINY_GGUF.length / 2);
  await expect(addFile(page, 'cut.gguf', cut)).rejects.toThrow(/cut\.gguf is truncated: it has/);
  await expect(addFile(page, 'a.gguf', Buffer.from('a picture'))).rejects.toThrow(
    /not a GGUF file/,
  );
  expect(await listed(page, 'cut')).toBeUndefined();
});

test('the GGUF with random weights that other tests use is one that llama.cpp runs', async ({
  fresh,
  site,
  closing,
}) => {
  const server = closing(await fileServer({ '/random.gguf': { bytes: tinyGguf() } }));
  const page = await openStarted(fresh, site.url, { ...CPU, model: `${server.url}random.gguf` });
  const text = await say(page, 'Hello!', { model: 'random', max_tokens: 8 });
  expect(text?.length).toBeGreaterThan(0);
});
