import { expect, test } from './support/fixtures.ts';

/** WebKitGTK 2.50 needs about thirty before it loses a transaction of a worker that has several. */
const WORKERS = 150;

test('the database answers after workers that worked on it ended, whether terminated or with their frame', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  const outcome = await tab.evaluate(async (workers) => {
    const open = () =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open('slashv1:/worked-on/');
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(new Error(String(asked.error)));
      });
    const write = async () => {
      const db = await open();
      await new Promise<void>((resolve) => {
        const transaction = db.transaction('keys', 'readwrite');
        transaction.objectStore('keys').put({ id: 'written' });
        transaction.oncomplete = () => resolve();
      });
      db.close();
    };
    const end = async (isFramed: boolean, ms: number) => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const framed = frame.contentWindow as (Window & typeof globalThis) | null;
      const { Worker: WorkerOf } = isFramed && framed ? framed : window;
      const worker = new WorkerOf(new URL('database-worker.js', document.baseURI), {
        type: 'module',
      });
      await new Promise((resolve) => (worker.onmessage = resolve));
      // After other times, the worker is doing other things.
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (!isFramed) worker.terminate();
      frame.remove();
    };
    for (let ended = 0; ended < workers; ended++) {
      const ms = (ended * 7) % 60;
      await end(ended % 2 === 1, ms);
      await write();
    }
    return 'answers';
  }, WORKERS);
  expect(outcome).toBe('answers');
});
