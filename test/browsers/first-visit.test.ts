import { say } from '../browser/support/chat.ts';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('a first visit is answered without a reload, and a second one downloads nothing', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  expect(await tab.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await begin(tab, { model: TINY });
  const { data } = await tab.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
  expect(await say(tab, 'Hello!')).toBe(GREETING);

  const before = site.requests.length;
  await tab.reload();
  await begin(tab, { model: TINY });
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  const again = site.requests.slice(before);
  expect(again).toContain('/page.js');
  expect(again.filter((path) => /^\/packs\/.*\.(bin|gguf|onnx|wasm)$/.test(path))).toEqual([]);
});
