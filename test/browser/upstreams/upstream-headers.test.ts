import type { Page } from 'playwright/test';
import { begin, expect, openPage, TINY } from '../support/fixtures.ts';
import {
  beginWith,
  chat,
  FROM_AFAR,
  sharedKey,
  TOKEN,
  tokens,
} from '../support/upstreams/cluster-chat.ts';
import { test } from '../support/upstreams/forwarding.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

declare global {
  interface Window {
    /** How often the page has given headers. */
    answered: number;
  }
}

test('the headers come from whichever page is open', async ({
  cluster,
  ownSite,
  page,
  undebugged,
}) => {
  await beginWith(page, cluster);
  const key = await sharedKey(page);
  expect(await chat(page, key)).toEqual(FROM_AFAR);
  const other = await openPage(undebugged, ownSite.url);
  await beginWith(other, cluster);
  expect(await chat(other, key)).toEqual(FROM_AFAR);
  await page.close();
  for (let count = 0; count < 3; count++) expect(await chat(other, key)).toEqual(FROM_AFAR);
});

test('a page that stops and starts again gives the headers again', async ({ cluster, page }) => {
  for (let count = 0; count < 3; count++) {
    await beginWith(page, cluster);
    expect(await chat(page)).toEqual(FROM_AFAR);
    expect(await chat(page)).toEqual(FROM_AFAR);
    await page.evaluate(() => window.v1.stop());
  }
});

test('headers that are no function are asked for once, and gone with their page', async ({
  cluster,
  ownSite,
  page,
  undebugged,
}) => {
  const beginConstant = (on: Page) =>
    on.evaluate(
      async ([url, token]) => {
        const { prototype } = MessagePort;
        const post = Object.getOwnPropertyDescriptor(prototype, 'postMessage')?.value as () => void;
        window.answered = 0;
        prototype.postMessage = function answer(this: MessagePort, ...given: [object]) {
          if ('headers' in given[0]) window.answered += 1;
          Reflect.apply(post, this, given);
        };
        const headers = { authorization: `${token}constant` };
        await window.begin({
          upstreams: [{ name: 'cluster', baseURL: url, models: '*', headers }],
        });
      },
      [cluster.baseURL, TOKEN] as const,
    );
  await beginConstant(page);
  for (let count = 0; count < 3; count++) expect(await chat(page)).toEqual(FROM_AFAR);
  expect(tokens(cluster)).toEqual(Array.from({ length: 3 }, () => `${TOKEN}constant`));
  expect(await page.evaluate(() => window.answered)).toBe(1);
  expect(await placesWithText(page, TOKEN)).toEqual([]);

  const key = await sharedKey(page);
  const other = await openPage(undebugged, ownSite.url);
  await begin(other, { model: TINY });
  expect(await chat(other, key)).toEqual(FROM_AFAR);
  await page.evaluate(() => window.v1.stop());
  await expect.poll(() => chat(other, key)).toEqual([503, 'upstream_unavailable']);
  await beginConstant(page);
  expect(await chat(other, key)).toEqual(FROM_AFAR);
  await page.close();
  await expect.poll(() => chat(other, key)).toEqual([503, 'upstream_unavailable']);
});
