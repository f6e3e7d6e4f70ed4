import { expect, test } from 'vitest';
import {
  losesTransactions,
  oneTransactionAtATime,
} from '../../../../src/core/database/one-transaction.ts';
import { emptyDatabase } from '../../support/database.ts';

const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0';
const WEBKIT_GTK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0';
const CHROME_OF_IOS = 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

test.each([SAFARI, WEBKIT_GTK, CHROME_OF_IOS])('%s loses transactions', (userAgent) => {
  expect(losesTransactions(userAgent)).toBe(true);
});

test.each([CHROME, FIREFOX, 'Node.js/26'])('%s keeps transactions', (userAgent) => {
  expect(losesTransactions(userAgent)).toBe(false);
});

test('transactions that are wanted at once begin one after the other', async () => {
  const open = oneTransactionAtATime(emptyDatabase());
  const log: string[] = [];
  const work = async (id: string) => {
    const { store, done } = (await open()).transaction('uses', 'readwrite');
    log.push(`begin ${id}`);
    await store.put(1, id);
    await store.get(id);
    await done;
    log.push(`end ${id}`);
  };
  await Promise.all(['a', 'b'].map(work));
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b']);
});

test('one that fails does not keep the next one waiting', async () => {
  const open = oneTransactionAtATime(emptyDatabase());
  const transaction = (await open()).transaction('uses', 'readwrite');
  transaction.abort();
  await expect(transaction.done).rejects.toThrow();
  await (await open()).put('uses', 1, 'a');
  expect(await (await open()).get('uses', 'a')).toBe(1);
});

test('who opens the database and begins nothing does not keep the next one waiting', async () => {
  const open = oneTransactionAtATime(emptyDatabase());
  await open();
  expect(await (await open()).count('uses')).toBe(0);
});

test('an opening that fails is not the next one’s failure', async () => {
  const opener = emptyDatabase();
  let attempts = 0;
  const open = oneTransactionAtATime(() =>
    attempts++ ? opener() : Promise.reject(new Error('The disk is full.')),
  );
  const [first, second] = await Promise.allSettled([open(), open()]);
  expect(first.status).toBe('rejected');
  expect(second.status).toBe('fulfilled');
});
