import type { ConsoleMessage, Page } from 'playwright/test';
import { expect } from '../support/fixtures.ts';
import { EMBEDDER } from '../support/site.ts';
import { fillDisk } from '../support/storage/fill-disk.ts';
import {
  ANIMALS,
  ask,
  counts,
  found,
  opened,
  test,
  upload,
  WEATHER,
  type Store,
} from '../support/storing.ts';

interface Failure {
  error: { code: string; message: string };
}

/** The error of an upload. */
function uploadTooMuch(page: Page): Promise<Failure & { status: number }> {
  return page.evaluate(async () => {
    const { baseURL, apiKey } = window.v1;
    const form = new FormData();
    form.append('file', new File([new Uint8Array(2_000_000).fill(65)], 'large.txt'));
    form.append('purpose', 'assistants');
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseURL}/files`, { method: 'POST', headers, body: form });
    return { status: response.status, ...((await response.json()) as Failure) };
  });
}

/** Keeps the site from indexing, as another tab does that indexes. @returns lets it go on */
async function holdIndexing(page: Page): Promise<() => Promise<void>> {
  const release = await page.evaluateHandle(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = `slashv1:index:${new URL('./', location.href).pathname}`;
    await new Promise<void>((begun) => {
      void navigator.locks.request(name, () => {
        begun();
        return promise;
      });
    });
    return resolve;
  });
  return () => release.evaluate((resolve) => resolve());
}

const LONG = Array.from({ length: 1_000 }, (_, at) => `Word${at} is here. ${WEATHER}`).join('\n');

test('on a full disk, what does not fit is refused, and what is stored can be searched and deleted', async ({
  fresh,
  library,
}) => {
  const page = await opened(fresh, library);
  const devtools = await fresh.newCDPSession(page);
  const { origin } = new URL(library.url);
  const animals = await upload(page, 'animals.md', ANIMALS);
  const { id } = await ask<Store>(page, '/vector_stores', { file_ids: [animals] });
  await expect.poll(() => counts(page, id)).toMatchObject({ completed: 1 });
  const words = await ask<Store>(page, '/vector_stores', { embedding_model: null });
  const spare = await upload(page, 'spare.txt', WEATHER);
  const long = await upload(page, 'long.txt', LONG);
  const quotaSize = 60_000_000;
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
  expect(await page.evaluate(fillDisk)).toBe('QuotaExceededError');
  const refused = await uploadTooMuch(page);
  expect(refused).toMatchObject({ status: 500, error: { code: 'storage_full' } });
  expect(refused.error.message).toContain('delete files');
  // Nothing fits any more, but what is stored can be deleted.
  const noStore = await ask<Failure>(page, '/vector_stores', { name: 'x'.repeat(200) });
  expect(noStore.error.code).toBe('storage_full');
  const gone = await ask<object>(page, `/files/${spare}`, undefined, 'DELETE');
  expect(gone).toMatchObject({ deleted: true });
  const add = () =>
    ask<{ status?: string } & Partial<Failure>>(page, `/vector_stores/${words.id}/files`, {
      file_id: long,
    });
  expect((await add()).error?.code).toBe('storage_full');
  expect(await found(page, id, 'a cat')).toEqual(['animals.md']);
  const vectors = await ask<{ data: object[] }>(page, '/embeddings', {
    model: EMBEDDER,
    input: 'a cat',
  });
  expect(vectors.data).toHaveLength(1);
  // When there is space again, the same file is indexed.
  await page.evaluate(() => indexedDB.deleteDatabase('filler'));
  await expect.poll(async () => (await add()).status, { timeout: 60_000 }).toBe('in_progress');
  await expect.poll(() => counts(page, words.id)).toMatchObject({ completed: 1, failed: 0 });
  expect(await found(page, words.id, 'Word999')).toContain('long.txt');
});

test(
  'files that are added before the disk is full are indexed when there is space again',
  { tag: '@worker-of-page' },
  async ({ fresh, library }) => {
    const page = await opened(fresh, library);
    const devtools = await fresh.newCDPSession(page);
    const { origin } = new URL(library.url);
    const ids = [await upload(page, 'animals.md', ANIMALS), await upload(page, 'long.txt', LONG)];
    const { id } = await ask<Store>(page, '/vector_stores', { file_ids: ids.slice(0, 1) });
    await expect.poll(() => counts(page, id)).toMatchObject({ completed: 1 });
    const words = await ask<Store>(page, '/vector_stores', { embedding_model: null });
    const release = await holdIndexing(page);
    await ask(page, `/vector_stores/${words.id}/file_batches`, { file_ids: ids });
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 60_000_000 });
    expect(await page.evaluate(fillDisk)).toBe('QuotaExceededError');
    const isWaiting = (message: ConsoleMessage) => message.text().includes('waits for space');
    const waits = page.waitForEvent('console', isWaiting);
    await release();
    await waits;
    // What is indexed already can be searched.
    expect(await counts(page, words.id)).toMatchObject({ completed: 0, failed: 0, total: 2 });
    expect(await found(page, id, 'a cat')).toEqual(['animals.md']);
    expect(await found(page, words.id, 'kitten')).toEqual([]);
    await page.evaluate(() => indexedDB.deleteDatabase('filler'));
    await expect
      .poll(() => counts(page, words.id), { timeout: 60_000 })
      .toMatchObject({ completed: 2, failed: 0, total: 2 });
    expect((await found(page, words.id, 'kitten'))[0]).toBe('animals.md');
    expect((await found(page, words.id, 'Word999'))[0]).toBe('long.txt');
    // What is indexed on an empty disk takes the same space: nothing was stored twice.
    const again = await ask<Store>(page, '/vector_stores', {
      embedding_model: null,
      file_ids: ids,
    });
    await expect.poll(() => counts(page, again.id)).toMatchObject({ completed: 2 });
    const sizeOf = async (store: string) =>
      (await ask<Store>(page, `/vector_stores/${store}`)).usage_bytes;
    expect(await sizeOf(words.id)).toBe(await sizeOf(again.id));
  },
);
