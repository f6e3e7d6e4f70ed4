import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import * as z from 'zod';
import type { KeyOptions, StartOptions } from '../../../src/index.ts';
import { expect, openStarted, reloadPage, restart, test, TINY } from '../support/fixtures.ts';
import { remove } from '../support/models.ts';
import { PACKS, replaceFile } from '../support/site.ts';
import { fillDisk } from '../support/storage/fill-disk.ts';

const DISK: StartOptions = { model: TINY, promptCache: { disk: true } };
/** More than the 256 tokens that are worth a file. */
const SYSTEM = 'You are a helpful assistant. Answer in one short sentence, and be kind. '.repeat(
  30,
);

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })),
  usage: z.object({
    prompt_tokens_details: z.object({ cached_tokens: z.number(), cache_write_tokens: z.number() }),
  }),
});

interface Asked {
  /** `ttl` of the breakpoint after the system prompt. */
  ttl?: string | undefined;
  apiKey?: string | undefined;
  question?: string;
}

/** Asks after the system prompt. */
async function ask(page: Page, { ttl = '12h', apiKey, question = 'Hi' }: Asked = {}) {
  const breakpoint = { mode: 'explicit', ttl };
  const body = {
    model: TINY,
    max_tokens: 12,
    temperature: 0,
    prompt_cache_options: { mode: 'explicit' },
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: SYSTEM, prompt_cache_breakpoint: breakpoint }],
      },
      { role: 'user', content: question },
    ],
  };
  const answer = await page.evaluate(
    async ([given, key]): Promise<unknown> => {
      const response = await window.post('chat/completions', given, key ? { apiKey: key } : {});
      return response.json();
    },
    [body, apiKey] as const,
  );
  const { choices, usage } = Answer.parse(answer);
  const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details;
  return { text: choices[0]?.message.content, read, written };
}

/** The names of the files in the origin's private file system. */
const files = (page: Page) =>
  page.evaluate(async () => {
    const names: string[] = [];
    const visit = async (folder: FileSystemDirectoryHandle) => {
      for await (const [name, handle] of folder.entries()) {
        if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
        else names.push(name);
      }
    };
    await visit(await navigator.storage.getDirectory());
    return names;
  });

const size = (page: Page) => page.evaluate(() => window.v1.promptCache.size());
const clear = (page: Page) => page.evaluate(() => window.v1.promptCache.clear());
const createKey = (page: Page, options: KeyOptions) =>
  page.evaluate((given) => window.v1.keys.create(given), options);
const revoke = (page: Page, key: string) =>
  page.evaluate((given) => window.v1.keys.revoke(given), key);

test('after a reload, a prompt goes on from the disk, and its answer is the same', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, DISK);
  const first = await ask(page);
  expect(first.read).toBe(0);
  expect(first.written).toBeGreaterThan(256);
  expect(await files(page)).toHaveLength(1);
  expect(await size(page)).toMatchObject({ prompts: 1 });
  await restart(page, DISK);
  expect(await ask(page)).toEqual({ ...first, read: first.written, written: 0 });
  expect(await ask(page, { question: 'What is your name?' })).toMatchObject({
    read: first.written,
  });
  // A second tab asks the same engine; the next engine finds the same file.
  const other = await openStarted(fresh, site.url, DISK);
  expect(await ask(other)).toMatchObject({ read: first.written, written: 0 });
  await page.close();
  expect(await ask(other)).toEqual({ ...first, read: first.written, written: 0 });
  expect(await files(other)).toHaveLength(1);
  await clear(other);
  expect([await files(other), await size(other)]).toEqual([[], { prompts: 0, bytes: 0 }]);
  await restart(other, DISK);
  expect(await ask(other)).toEqual(first);
});

test('two tabs that ask at once keep a prompt once', async ({ fresh, site }) => {
  const one = await openStarted(fresh, site.url, DISK);
  const other = await openStarted(fresh, site.url, DISK);
  const answers = await Promise.all([one, other, one, other].map((page) => ask(page)));
  const [first] = answers;
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await size(other)).toMatchObject({ prompts: 1 });
  await Promise.all([clear(one), clear(other), ask(one), ask(other)]);
  await clear(one);
  expect(await files(other)).toEqual([]);
  await other.close();
  await restart(one, DISK);
  expect(await ask(one)).toMatchObject({ text: first?.text, read: 0 });
});

test('a damaged file is not read, and the prompt is kept again', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, DISK);
  const first = await ask(page);
  await reloadPage(page);
  await page.evaluate(async () => {
    const visit = async (folder: FileSystemDirectoryHandle) => {
      for await (const handle of folder.values()) {
        if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
        if (!(handle instanceof FileSystemFileHandle)) continue;
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        const middle = bytes.length >> 1;
        bytes[middle] = (bytes[middle] ?? 0) ^ 1;
        const writable = await handle.createWritable();
        await writable.write(bytes);
        await writable.close();
      }
    };
    await visit(await navigator.storage.getDirectory());
  });
  await page.evaluate((options) => window.begin(options), DISK);
  expect(await ask(page)).toEqual(first);
  await restart(page, DISK);
  expect(await ask(page)).toMatchObject({ read: first.written, written: 0 });
});

test('on a full disk, requests are answered, nothing is kept, and the console has a warning', async ({
  fresh,
  site,
}) => {
  const warnings: string[] = [];
  fresh.on('console', (message) => warnings.push(message.text()));
  const page = await openStarted(fresh, site.url, DISK);
  const devtools = await fresh.newCDPSession(page);
  const { origin } = new URL(site.url);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 60_000_000 });
  expect(await page.evaluate(fillDisk)).toBe('QuotaExceededError');
  const first = await ask(page);
  expect(first.read).toBe(0);
  expect(await files(page)).toEqual([]);
  await expect.poll(() => warnings.join('\n')).toContain('A prompt is not kept on disk');
  expect(await ask(page)).toEqual({ ...first, read: first.written, written: 0 });
});

test('each key has its own prompts, if it may keep any, and they end with it', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, DISK);
  const own = await createKey(page, { promptCache: true });
  const none = await createKey(page, {});
  const first = await ask(page, { apiKey: own });
  expect(first.written).toBeGreaterThan(256);
  await ask(page, { apiKey: none });
  expect(await files(page)).toHaveLength(1);
  await restart(page, DISK);
  expect(await ask(page, { apiKey: own })).toMatchObject({ read: first.written });
  expect(await ask(page, { apiKey: none })).toMatchObject({ read: 0 });
  expect(await ask(page)).toMatchObject({ read: 0 });
  expect(await files(page)).toHaveLength(2);
  await revoke(page, own);
  await expect.poll(() => files(page)).toHaveLength(1);
  await restart(page, DISK);
  expect(await ask(page)).toMatchObject({ read: first.written });
});

test('prompts end with their model, with its revision, and with their time', async ({
  fresh,
  site,
}) => {
  const manifest = join(PACKS['tiny-chat'] ?? '', 'manifest.json');
  const newer = readFileSync(manifest, 'utf8').replaceAll(
    /"revision": "./g,
    (revision) => `${revision.slice(0, -1)}${revision.endsWith('0') ? '1' : '0'}`,
  );
  let page = await openStarted(fresh, site.url, DISK);
  const first = await ask(page);
  await remove(page, TINY);
  await expect.poll(() => files(page)).toEqual([]);
  await restart(page, DISK);
  expect(await ask(page)).toEqual(first);

  site.intercept = replaceFile('/packs/tiny-chat/manifest.json', newer);
  // The old revision serves until the new one is there.
  await expect
    .poll(async () => {
      await restart(page, DISK);
      return (await ask(page)).read;
    })
    .toBe(0);
  expect(await files(page)).toHaveLength(1);
  site.intercept = undefined;
  await page.close();

  page = await openStarted(fresh, site.url, DISK);
  await clear(page);
  await restart(page, DISK);
  await ask(page, { ttl: '12h' });
  await page.evaluate(async () => {
    const names = await indexedDB.databases();
    const { name = '' } = names.find((each) => each.name?.includes('prompts:')) ?? {};
    const db = await window.resultOf(indexedDB.open(name));
    const store = db.transaction('prompts', 'readwrite').objectStore('prompts');
    const [kept] = (await window.resultOf(store.getAll())) as { expiresAt: number }[];
    if (kept) await window.resultOf(store.put({ ...kept, expiresAt: 1 }));
    db.close();
  });
  await restart(page, DISK);
  await expect.poll(() => files(page)).toEqual([]);
  expect(await ask(page)).toMatchObject({ read: 0 });
});

test('an engine that outlives its pages keeps prompts, too', async ({ fresh, site }) => {
  const options = { ...DISK, outlive: true };
  const page = await openStarted(fresh, site.url, options);
  const first = await ask(page);
  expect(await files(page)).toHaveLength(1);
  await page.evaluate((model) => window.v1.models.unload(model), TINY);
  expect(await ask(page)).toEqual({ ...first, read: first.written, written: 0 });
});

test('options that are wrong are refused', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url);
  const refusal = (promptCache: object) =>
    page.evaluate(async (given) => {
      const options = { promptCache: given } as never;
      const error: unknown = await window.slashv1.start(options).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      return error instanceof window.slashv1.StartError ? [error.code, error.message] : error;
    }, promptCache);
  expect(await refusal({ disk: 'yes' })).toEqual([
    'invalid_option',
    expect.stringContaining('disk'),
  ]);
  expect(await refusal({ maxBytes: 0 })).toEqual([
    'invalid_option',
    expect.stringContaining('maxBytes'),
  ]);
  expect(await refusal({ disc: true })).toEqual([
    'invalid_option',
    expect.stringContaining('disc'),
  ]);
});
