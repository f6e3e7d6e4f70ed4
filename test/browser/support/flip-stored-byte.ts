/** Runs in the page: one bit of a model's file, as a failing disk would do it. */
export async function flipStoredByte([model, name]: readonly [string, string]): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('failed'));
    });
  const db = await done(indexedDB.open('slashv1:/'));
  const all = IDBKeyRange.bound([model], [model, []]);
  const keys = await done(db.transaction('segments').objectStore('segments').getAllKeys(all));
  const key = keys.find((each) => JSON.stringify(each).includes(name)) ?? '';
  const found = db.transaction('segments').objectStore('segments').get(key);
  const segment = (await done(found)) as { blob: Blob };
  const bytes = new Uint8Array(await segment.blob.arrayBuffer());
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  const store = db.transaction('segments', 'readwrite').objectStore('segments');
  await done(store.put({ ...segment, blob: new Blob([bytes]) }, key));
  db.close();
}
