import type { Page } from 'playwright/test';
import { say } from '../support/chat.ts';
import {
  expect,
  openPage,
  openStarted,
  test as base,
  TINY,
  type TestSite,
} from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { serveTestSite } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';

const test = base.extend<{ ownSite: TestSite }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat'])));
  },
});

/** Deletes the site's databases as the browser does when it needs room: their connections are closed by force. */
async function evict(page: Page, { url }: TestSite): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(url);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await session.detach();
}

/** Status of a request that needs a valid key. */
function statusOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    return (await fetch(`${window.v1.baseURL}/models`, { headers })).status;
  });
}

for (const failures of [0, 3]) {
  test(`after the browser has taken the database, and refused it ${failures} times, requests are answered without a reload`, async ({
    undebugged,
    ownSite,
  }) => {
    const page = await openStarted(undebugged, ownSite.url, { model: TINY });
    expect(await say(page, 'Hello!')).toBe(GREETING);
    await page.evaluate((count) => {
      const { open } = IDBFactory.prototype;
      let left = count;
      IDBFactory.prototype.open = function (...given) {
        if (left-- > 0) throw new DOMException('Internal error opening.', 'UnknownError');
        return open.apply(this, given);
      };
    }, failures);
    await evict(page, ownSite);
    await expect.poll(() => statusOf(page)).toBe(200);
    await page.evaluate((id) => window.v1.models.install(id), TINY);
    expect(await say(page, 'Hello!')).toBe(GREETING);
  });
}

test('start() says in seconds that another tab keeps the database from being opened', async ({
  fresh,
  ownSite,
}) => {
  const holder = await openPage(fresh, ownSite.url);
  await holder.evaluate(async () => {
    await window.resultOf(indexedDB.open('slashv1:/', 1));
    // This tab ignores `versionchange`: the deletion never begins, and everything after it waits.
    indexedDB.deleteDatabase('slashv1:/');
  });
  const page = await openPage(fresh, ownSite.url);
  const [code, message] = await startFailure(page);
  expect(code).toBe('storage_blocked');
  expect(message).toContain('close the other tabs');
  await holder.close();
  await page.evaluate(async () => (await window.slashv1.start()).stop());
});
