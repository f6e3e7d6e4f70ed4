import { TINY } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';
import { askAfterSystem } from './support/kept-prompt.ts';

const DISK = { model: TINY, promptCache: { disk: true } };

test('a prompt is on disk where the browser has files, and computed where it has none', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab, DISK);
  const first = await askAfterSystem(tab);
  expect(first.read).toBe(0);
  expect(first.written).toBeGreaterThan(256);
  const hasFiles = await tab.evaluate(
    () => 'storage' in navigator && 'createWritable' in FileSystemFileHandle.prototype,
  );
  const size = await tab.evaluate(() => window.v1.promptCache.size());
  expect(size.prompts).toBe(hasFiles ? 1 : 0);
  const next = await newTab(site.url);
  await tab.close();
  await begin(next, DISK);
  const kept = { read: first.written, written: 0 };
  expect(await askAfterSystem(next)).toEqual({ ...first, ...(hasFiles && kept) });
  await next.evaluate(() => window.v1.promptCache.clear());
  expect(await next.evaluate(() => window.v1.promptCache.size())).toEqual({
    prompts: 0,
    bytes: 0,
  });
});
