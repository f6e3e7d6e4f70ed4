import type { Tab } from './driver.ts';

/**
 * Waits until the browser has kept files of the site for use without a network. After a model's first load, it keeps
 * them in the background.
 *
 * @param files - lists of files, relative to the page; one file of each list must be kept
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
