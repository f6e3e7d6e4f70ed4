import type { Tab } from './driver.ts';

/**
 * Waits until the browser has kept files of the site for use without a network: after a model's first load
 * it does so while the page goes on.
 *
 * @param files - relative to the page; for each list, one of its files
 */
export async function untilKept(tab: Tab, ...files: string[][]): Promise<void> {
  await tab.waitForFunction(
    async (lists) => {
      const isKept = async (url: string) => (await caches.match(url)) !== undefined;
      const found = await Promise.all(lists.map((urls) => Promise.all(urls.map(isKept))));
      return found.every((list) => list.includes(true));
    },
    files,
    { polling: 50 },
  );
}
