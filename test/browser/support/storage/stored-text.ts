import type { Page } from 'playwright/test';

/** Searches every place in which a page's origin can store things; returns those that hold the text, or the bytes. */
export function placesWithText(page: Page, secret: string | Buffer): Promise<string[]> {
  const isText = typeof secret === 'string';
  // Text may be stored in UTF-8 or UTF-16, and bytes as the characters of a text.
  const patterns = isText ? [Buffer.from(secret), Buffer.from(secret, 'utf16le')] : [secret];
  const text = isText ? secret : secret.toString('latin1');
  return page.evaluate(search, { text, patterns: patterns.map((bytes) => [...bytes]) });
}

interface Searched {
  text: string;
  patterns: number[][];
}

/** Runs in the page: it can use nothing from this file. */
async function search({ text, patterns: searched }: Searched): Promise<string[]> {
  const found: string[] = [];
  // One character for each byte. The label stands for windows-1252, so some characters differ from Latin-1.
  const decoder = new TextDecoder('latin1');
  const patterns = searched.map((bytes) => decoder.decode(Uint8Array.from(bytes)));

  const inBytes = (bytes: ArrayBuffer) => {
    const all = decoder.decode(bytes);
    return patterns.some((pattern) => all.includes(pattern));
  };

  async function holds(value: unknown): Promise<boolean> {
    if (typeof value === 'string') return value.includes(text);
    if (value instanceof Blob) return inBytes(await value.arrayBuffer());
    if (value instanceof ArrayBuffer) return inBytes(value);
    if (ArrayBuffer.isView(value)) return holds(new Blob([value as Uint8Array<ArrayBuffer>]));
    if (typeof value !== 'object' || value === null) return false;
    for (const [key, member] of Object.entries(value)) {
      if (key.includes(text) || (await holds(member))) return true;
    }
    return false;
  }

  function resultOf<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('The database cannot be read.')));
    });
  }

  async function databases(): Promise<void> {
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await resultOf(indexedDB.open(name));
      for (const storeName of db.objectStoreNames) {
        const store = db.transaction(storeName).objectStore(storeName);
        // Both requests are made before either is awaited; otherwise the transaction would end.
        const all = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
        if (await holds(all)) found.push(`IndexedDB ${storeName}`);
      }
      db.close();
    }
  }

  async function cached(): Promise<void> {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const all = [request.url, [...request.headers], await response?.blob()];
        if (await holds(all)) found.push(`Cache ${name}`);
      }
    }
  }

  async function files(folder: FileSystemDirectoryHandle): Promise<void> {
    for await (const [name, handle] of folder.entries()) {
      if (handle instanceof FileSystemDirectoryHandle) await files(handle);
      const content = handle instanceof FileSystemFileHandle ? await handle.getFile() : undefined;
      if (await holds([name, content])) found.push(`file ${name}`);
    }
  }

  await databases();
  await cached();
  await files(await navigator.storage.getDirectory());
  if (await holds(Object.entries(localStorage))) found.push('localStorage');
  if (await holds(Object.entries(sessionStorage))) found.push('sessionStorage');
  if (await holds([location.href, document.cookie, history.state, window.name])) {
    found.push('page');
  }
  return found;
}
