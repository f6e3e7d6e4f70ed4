import { expect, test } from 'vitest';
import { MODEL } from '../support/api.ts';
import { finish, text } from '../support/test-engine.ts';
import { filled, post, REFUNDS, storing } from './vector-store-api.ts';

/** All that is in IndexedDB, as text. */
async function stored(): Promise<string> {
  const all: unknown[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await settled(indexedDB.open(name));
    for (const store of db.objectStoreNames) {
      const objects = db.transaction(store).objectStore(store);
      all.push(await settled(objects.getAllKeys()), await settled(objects.getAll()));
    }
    db.close();
  }
  return JSON.stringify(all);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('The database cannot be read.'));
  });
}

/** Words that no other test stores: their databases are here, too. */
const [KEPT, ASKED, ANSWERED] = Array.from({ length: 3 }, () => crypto.randomUUID());

test('files are stored, and neither searches nor answers from them', async () => {
  const given = await storing();
  const { client, api } = given;
  const id = await filled(given, { 'a.txt': `${REFUNDS} ${KEPT}` });
  expect(await stored()).toContain(KEPT);
  await client.vectorStores.search(id, { query: `my refund ${ASKED}` });
  api.engine.next(text(`${ANSWERED} [1].`), finish());
  const tools = [{ type: 'file_search', vector_store_ids: [id] }];
  const input = `my question about refunds ${ASKED}`;
  const response = await post(given, '/responses', { model: MODEL, input, tools });
  expect(await response.text()).toContain(`${ANSWERED}.`);
  const after = await stored();
  expect(after).toContain(KEPT);
  expect(after).not.toContain(ASKED);
  expect(after).not.toContain(ANSWERED);
  for (const { id: file } of (await client.files.list()).data) await client.files.delete(file);
  expect(await stored()).not.toContain(KEPT);
});
