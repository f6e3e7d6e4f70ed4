import {
  ADDED,
  BEGUN,
  ENTRIES_OF_VERSION_2,
  HUB,
  PLAN_OF_VERSION_2,
  USED_AT,
} from '../support/version-2-catalog.ts';
import { expect, openPage, test } from './support/fixtures.ts';

const HUB_ENTRIES = ([HUB, ADDED, BEGUN] as const).map((id) => ENTRIES_OF_VERSION_2[id]);

test('models and downloads of a database of version 2 are still there', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const stored = { entries: HUB_ENTRIES, plan: PLAN_OF_VERSION_2, begun: BEGUN, hub: HUB };
  await page.evaluate(
    async ({ entries, plan, begun, hub, usedAt }) => {
      const request = indexedDB.open('slashv1:/', 2);
      request.onupgradeneeded = () => {
        const db = request.result;
        for (const name of ['keys', 'catalog']) db.createObjectStore(name, { keyPath: 'id' });
        for (const name of ['files', 'segments', 'downloads', 'uses']) db.createObjectStore(name);
      };
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(request.error?.message));
      });
      const transaction = db.transaction(db.objectStoreNames, 'readwrite');
      const put = (store: string, value: unknown, key?: IDBValidKey) =>
        transaction.objectStore(store).put(value, key);
      const file = { blob: new Blob(['weights']), sha256: 'x' };
      for (const entry of entries) {
        put('catalog', entry);
        if (!('installed' in entry)) continue;
        const { revision, files } = entry.installed;
        for (const { path } of files) put('files', file, [entry.id, revision, path]);
      }
      put('downloads', plan, begun);
      put('segments', { blob: new Blob(['wei']) }, [begun, plan.revision, 'params_shard_0.bin', 0]);
      put('uses', usedAt, hub);
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      db.close();
    },
    { ...stored, usedAt: USED_AT },
  );
  await page.evaluate(() => window.begin());
  const models = await page.evaluate(() => window.v1.models.list());
  const find = (id: string) => models.find((model) => model.id === id);
  const variant = { engine: 'webllm', quantization: 'q4f16_1' };
  expect(find(HUB)).toMatchObject({
    state: 'installed',
    task: 'chat',
    variant,
    lastUsedAt: USED_AT,
  });
  expect(find(ADDED)).toMatchObject({ state: 'installed', task: 'chat', variant });
  expect(find(BEGUN)).toMatchObject({ state: 'paused', downloadedBytes: 3, bytes: 18 });
  const [served, canRun] = await page.evaluate(async () => {
    const { data } = await window.client.models.list();
    return [data.map(({ id }) => id), window.v1.device.shaderF16] as const;
  });
  // Both models compute in 16 bits.
  expect(served.filter((id) => id === HUB || id === ADDED)).toEqual(canRun ? [HUB, ADDED] : []);
});
