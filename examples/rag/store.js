/** `files` by path, `vectors` by their text. Pages in other folders have their own. */
const KEYS = { files: 'path', vectors: 'key' };
const opening = indexedDB.open(`rag ${new URL('.', location.href).pathname}`, 1);
opening.onupgradeneeded = () => {
  for (const name in KEYS) opening.result.createObjectStore(name, { keyPath: KEYS[name] });
};
const database = settled(opening, 'success');

export async function all(name) {
  return settled((await database).transaction(name).objectStore(name).getAll(), 'success');
}

/** Removes rows, then puts rows. Resolves when that is stored. */
export async function change(name, removed, put) {
  const transaction = (await database).transaction(name, 'readwrite');
  for (const row of removed) transaction.objectStore(name).delete(row[KEYS[name]]);
  for (const row of put) transaction.objectStore(name).put(row);
  await settled(transaction, 'complete');
}

function settled(work, event) {
  return new Promise((resolve, reject) => {
    work.addEventListener(event, () => resolve(work.result));
    for (const fault of ['error', 'abort']) work.addEventListener(fault, () => reject(work.error));
  });
}
