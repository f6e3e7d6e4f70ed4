/** Pages in other folders have databases of their own. */
const opening = indexedDB.open(`rag ${new URL('.', location.href).pathname}`, 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('files', { keyPath: 'path' });
const database = settled(opening, 'success');

/** Calls `getAll`, `get`, `put` or `delete` of the store of files. Resolves when that is stored. */
export async function files(method, argument) {
  const transaction = (await database).transaction('files', 'readwrite');
  const request = transaction.objectStore('files')[method](argument);
  await settled(transaction, 'complete');
  return request.result;
}

function settled(work, event) {
  return new Promise((resolve, reject) => {
    work.addEventListener(event, () => resolve(work.result));
    for (const fault of ['error', 'abort']) work.addEventListener(fault, () => reject(work.error));
  });
}
