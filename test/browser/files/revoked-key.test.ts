import type { Page } from 'playwright/test';
import { expect } from '../support/fixtures.ts';
import {
  ANIMALS,
  ask,
  counts,
  opened,
  test,
  upload,
  WEATHER,
  type Store,
} from '../support/storing.ts';

/** How many records there are of files, contents, vector stores, members, chunks and segments. */
function records(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const all = await indexedDB.databases();
    const { name = '' } = all.find((each) => each.name?.includes(':files:')) ?? {};
    const db = await window.resultOf(indexedDB.open(name));
    const names = ['files', 'contents', 'stores', 'members', 'chunks', 'segments'];
    const transaction = db.transaction(names);
    const found = await Promise.all(
      names.map((each) => window.resultOf(transaction.objectStore(each).count())),
    );
    db.close();
    return found;
  });
}

test('what a key has stored is deleted when it is revoked, and nothing of others', async ({
  fresh,
  library,
}) => {
  const page = await opened(fresh, library);
  const own = await upload(page, 'animals.md', ANIMALS);
  const { id } = await ask<Store>(page, '/vector_stores', { file_ids: [own] });
  await expect.poll(() => counts(page, id)).toMatchObject({ completed: 1 });
  const key = await page.evaluate(() => window.v1.keys.create({ label: 'guest' }));
  await page.evaluate(
    async ([apiKey, text]) => {
      const { baseURL } = window.v1;
      const client = new window.OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
      const store = await client.vectorStores.create({ name: 'of the key' });
      await client.vectorStores.files.uploadAndPoll(store.id, new File([text], 'weather.txt'));
    },
    [key, WEATHER] as const,
  );
  expect(await records(page)).toEqual([2, 2, 2, 2, 2, 2]);
  await page.evaluate((revoked) => window.v1.keys.revoke(revoked), key);
  expect(await records(page)).toEqual([1, 1, 1, 1, 1, 1]);
  expect((await ask<{ data: { id: string }[] }>(page, '/files')).data).toMatchObject([{ id: own }]);
  expect(await counts(page, id)).toMatchObject({ completed: 1, total: 1 });
});
