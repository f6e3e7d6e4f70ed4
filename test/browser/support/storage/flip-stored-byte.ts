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
  const changing = db.transaction('segments', 'readwrite');
  changing.objectStore('segments').put({ ...segment, blob: new Blob([bytes]) }, key);
  // A reload would undo what is not complete yet.
  await new Promise((resolve, reject) => {
    changing.oncomplete = resolve;
    changing.onabort = () => reject(changing.error);
  });
  db.close();
}
