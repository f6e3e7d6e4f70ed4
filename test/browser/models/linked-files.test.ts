import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { say } from '../support/chat.ts';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { addDropped, listed, remove } from '../support/models.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { PACKS } from '../support/site.ts';

const PACK = PACKS['tiny-chat'] ?? '';
const GGUF = join(PACK, 'tiny-chat-F32.gguf');
const CPU: StartOptions = { engines: ['llamacpp'] };
const MODEL = 'my-tiny-chat';
const FILE = `${MODEL}.gguf`;

/** Writes a file into the site's private folder, whose handles are like those of a picker, but always allowed. */
const write = (page: Page, bytes: Buffer) =>
  page.evaluate(
    async ([name, base64]) => {
      const blob = await (await fetch(`data:;base64,${base64}`)).blob();
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      await writable.write(blob);
      await writable.close();
    },
    [FILE, bytes.toString('base64')] as const,
  );

/** Opens a page with the file in its private folder. */
async function openWithFile(context: BrowserContext, url: string, bytes: Buffer): Promise<Page> {
  const page = await openStarted(context, url, CPU);
  await write(page, bytes);
  return page;
}

const addHandle = (page: Page) =>
  page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    return window.v1.models.add(await folder.getFileHandle(name));
  }, FILE);

const ask = (page: Page) => say(page, CAPITAL, { model: MODEL });

/** Bytes that the site’s databases take. */
const databaseBytes = (page: Page) =>
  page.evaluate(async () => {
    const estimate: object = await navigator.storage.estimate();
    return (estimate as { usageDetails: { indexedDB?: number } }).usageDetails.indexedDB ?? 0;
  });

/** Waits until the hash of the file is stored. */
const isHashed = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const names = await indexedDB.databases();
        const { name = '' } = names.find((each) => each.name?.startsWith('slashv1')) ?? {};
        const opening = indexedDB.open(name);
        const db = await new Promise<IDBDatabase>((resolve, reject) => {
          opening.onsuccess = () => resolve(opening.result);
          opening.onerror = () => reject(new Error('closed'));
        });
        const asked = db.transaction('files').objectStore('files').getAll();
        const files = await new Promise<{ handle?: unknown; sha256?: string }[]>((resolve) => {
          asked.onsuccess = () => resolve(asked.result);
        });
        db.close();
        return files.some(({ handle, sha256 }) => handle && sha256);
      }),
    )
    .toBe(true);

test('a file runs where it lies, also in the next session, and is not copied', async ({
  fresh,
  site,
}) => {
  const bytes = readFileSync(GGUF);
  const page = await openWithFile(fresh, site.url, bytes);
  const before = await databaseBytes(page);
  expect(await addHandle(page)).toBe(MODEL);
  expect(await listed(page, MODEL)).toMatchObject({
    state: 'installed',
    bytes: bytes.length,
    permission: 'granted',
  });
  expect(await ask(page)).toBe(PARIS);
  expect((await databaseBytes(page)) - before).toBeLessThan(bytes.length / 4);

  await restart(page, CPU);
  expect(await ask(page)).toBe(PARIS);
  await remove(page, MODEL);
  expect(await listed(page, MODEL)).toBeUndefined();
  const left = await page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(name)).getFile()).size;
  }, FILE);
  expect(left).toBe(bytes.length);
});

test('a file that has changed is told, and one with the same content and another date is not', async ({
  fresh,
  site,
}) => {
  const bytes = readFileSync(GGUF);
  const page = await openWithFile(fresh, site.url, bytes);
  await addHandle(page);
  expect(await ask(page)).toBe(PARIS);
  await isHashed(page);
  await write(page, bytes);
  await restart(page, CPU);
  expect(await ask(page)).toBe(PARIS);

  const changed = Buffer.from(bytes);
  // No sample has this byte.
  changed[100_000] = (changed[100_000] ?? 0) ^ 1;
  await write(page, changed);
  await restart(page, CPU);
  await expect(ask(page)).rejects.toThrow(`${FILE} has changed since it was added.`);
  await write(page, bytes.subarray(0, bytes.length / 2));
  await expect(ask(page)).rejects.toThrow(`${FILE} has changed since it was added.`);
  await write(page, bytes);
  expect(await ask(page)).toBe(PARIS);
});

test('a file that is gone is told, and is found again where it is added', async ({
  fresh,
  site,
}) => {
  const bytes = readFileSync(GGUF);
  const page = await openWithFile(fresh, site.url, bytes);
  await addHandle(page);
  await page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    await folder.removeEntry(name);
  }, FILE);
  await expect(ask(page)).rejects.toThrow(/my-tiny-chat\.gguf cannot be read where it lay: .*Add/);
  await expect(addHandle(page)).rejects.toThrow(/could not be found/);
  // The new file has another date, and the hash of the old one is not known.
  await write(page, bytes);
  await expect(ask(page)).rejects.toThrow(`${FILE} has changed`);
  const again = await addHandle(page);
  expect(await say(page, CAPITAL, { model: again })).toBe(PARIS);
});

test('a file of the visitor is not read without permission, which is asked for by a click', async ({
  fresh,
  site,
}, testInfo) => {
  const path = testInfo.outputPath(FILE);
  writeFileSync(path, readFileSync(GGUF));
  const first = await openStarted(fresh, site.url, CPU);
  expect(await addDropped(first, path)).toBe(MODEL);
  expect(await ask(first)).toBe(PARIS);
  expect(await listed(first, MODEL)).toMatchObject({ permission: 'granted' });
  expect(await first.evaluate((model) => window.v1.models.allow(model), MODEL)).toBe(true);

  // The last page of the site goes, and with it the permission.
  await first.goto('about:blank');
  const page = await openStarted(fresh, site.url, CPU);
  expect(await listed(page, MODEL)).toMatchObject({ state: 'installed', permission: 'prompt' });
  await expect(ask(page)).rejects.toThrow(/may not read my-tiny-chat\.gguf any more: .*allow\(\)/);

  // A browser without a window shows no question that could be answered: only that it is asked, and of which file.
  const asked = await page.evaluate(async (model) => {
    const names: string[] = [];
    Object.assign(FileSystemHandle.prototype, {
      requestPermission(this: FileSystemHandle) {
        names.push(this.name);
        return Promise.resolve('denied');
      },
    });
    return { isAllowed: await window.v1.models.allow(model), names };
  }, MODEL);
  expect(asked).toEqual({ isAllowed: false, names: [FILE] });

  // A visitor who picks a file allows the page to read it.
  expect(await addDropped(page, path)).toBe(MODEL);
  expect(await ask(page)).toBe(PARIS);
});
