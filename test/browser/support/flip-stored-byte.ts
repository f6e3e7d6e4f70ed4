/** Runs in the page: flips one bit of a model's stored file, as a failing disk does. */
export async function flipStoredByte([model, name]: readonly [string, string]): Promise<void> {
  const { resultOf } = window;
  const db = await resultOf(indexedDB.open('slashv1:/'));
  const all = IDBKeyRange.bound([model], [model, []]);
  const keys = await resultOf(db.transaction('segments').objectStore('segments').getAllKeys(all));
  const key = keys.find((each) => JSON.stringify(each).includes(name)) ?? '';
  const found = db.transaction('segments').objectStore('segments').get(key);
  const segment = (await resultOf(found)) as { blob: Blob };
  const bytes = new Uint8Array(await segment.blob.arrayBuffer());
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  const store = db.transaction('segments', 'readwrite').objectStore('segments');
  await resultOf(store.put({ ...segment, blob: new Blob([bytes]) }, key));
  db.close();
}
