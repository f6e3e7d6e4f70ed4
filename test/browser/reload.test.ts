import type { Page } from 'playwright/test';
import { expect, openPage, reloadPage, test, TINY } from './support/fixtures.ts';

/** A greedy answer of a page that has just been opened or reloaded. */
async function answer(page: Page, maxTokens: number): Promise<string | null | undefined> {
  return page.evaluate(
    async ([model, max_tokens]) => {
      await window.begin({ model });
      const completion = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Count to 12.' }],
        temperature: 0,
        max_tokens,
      });
      return completion.choices[0]?.message.content;
    },
    [TINY, maxTokens] as const,
  );
}

/** Entry points of the model's compute pipelines that are noted as used, and as not used. */
function notedPipelines(page: Page): Promise<{ used: string[]; unused: string[] }> {
  return page.evaluate(async (model) => {
    const [{ name = '' } = {}] = await indexedDB.databases();
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('The database cannot be opened.'));
    });
    const stored = await new Promise<{ blob: Blob }[]>((resolve, reject) => {
      const files = db.transaction('files').objectStore('files');
      const request = files.openCursor();
      const found: { blob: Blob }[] = [];
      request.onerror = () => reject(new Error('The files cannot be read.'));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(found);
        const [id, , path] = cursor.key as string[];
        if (id === model && path === '.slashv1/gpu.json')
          found.push(cursor.value as { blob: Blob });
        cursor.continue();
      };
    });
    db.close();
    const text = (await stored[0]?.blob.text()) ?? '{"pipelines":[]}';
    const { pipelines } = JSON.parse(text) as {
      pipelines: { entryPoint: string; isUsed: boolean }[];
    };
    const names = (isUsed: boolean) =>
      pipelines.filter((each) => each.isUsed === isUsed).map(({ entryPoint }) => entryPoint);
    return { used: names(true), unused: names(false) };
  }, TINY);
}

test('a reload compiles what answers took, and the rest once an answer takes it', async ({
  fresh,
  site,
}) => {
  const page = await openPage(fresh, site.url);
  // One token takes no more than prefill.
  await answer(page, 1);
  await expect.poll(() => notedPipelines(page).then(({ used }) => used.length)).toBeGreaterThan(0);
  const first = await notedPipelines(page);
  expect(first.unused.length).toBeGreaterThan(0);
  await reloadPage(page);
  expect(await answer(page, 60)).toBe('1 2 3 4 5 6 7 8 9 10 11 12');
  await expect
    .poll(() => notedPipelines(page).then(({ used }) => used.length))
    .toBeGreaterThan(first.used.length);
  const second = await notedPipelines(page);
  expect(second.used).toEqual(expect.arrayContaining(first.used));
  await reloadPage(page);
  expect(await answer(page, 60)).toBe('1 2 3 4 5 6 7 8 9 10 11 12');
  expect(await notedPipelines(page)).toEqual(second);
});
