import type {} from '../../site/page.ts';

/** Runs in the page: stores bytes until there is no space left; returns the name of the error. */
export async function fillDisk(): Promise<string> {
  const opening = indexedDB.open('filler', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('blobs');
  const db = await window.resultOf(opening);
  db.onversionchange = () => db.close();
  for (let index = 0; ; index++) {
    const transaction = db.transaction('blobs', 'readwrite');
    transaction.objectStore('blobs').put(new Blob([new Uint8Array(100_000)]), index);
    const error = await new Promise<DOMException | null>((resolve) => {
      transaction.oncomplete = () => resolve(null);
      transaction.onabort = () => resolve(transaction.error);
    });
    if (error) return error.name;
  }
}
