import { say } from '../browser/support/chat.ts';
import { holdRest } from '../browser/support/hub/hold-rest.ts';
import { CAPITAL, GREETING } from '../browser/support/prompts.ts';
import { unload } from '../browser/support/models.ts';
import { SMOLLM2, TINY, withTestSite } from '../browser/support/site.ts';
import { serveAfter } from '../browser/support/sites/serve-after.ts';
import { begin, expect, test } from './support/fixtures.ts';
import { untilKept } from './support/until-kept.ts';

/** Appended to the service worker's script: tells the site that its tabs and their workers have been claimed. */
const TELL_CLAIM = `addEventListener('message', ({ data }) => {
  if (data.type === 'slashv1:claim') clients.claim().then(() => fetch('/claimed'));
});`;

/** The service worker cannot keep what it does not see, and it sees only the engines that it controls. */
const ORDERS = [
  // The engine asks for the list.
  { name: 'the engine works already', script: 'sw.js', after: 'packs/index.json' },
  { name: 'the engine is loading', script: 'engine.js', after: 'claimed' },
];

test('a first visit is answered without a reload, and a second one downloads nothing', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  expect(await tab.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await tab.evaluate(async () => void (await fetch('orders', { method: 'POST' })));
  await begin(tab, { model: TINY });
  const { data } = await tab.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
  expect(await say(tab, 'Hello!')).toBe(GREETING);

  // Files that the page has loaded are fetched again to be stored. Requests of its scripts are not repeated.
  expect(site.requests.filter((path) => path === '/orders')).toHaveLength(1);

  const before = site.requests.length;
  await tab.reload();
  await begin(tab, { model: TINY });
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  const again = site.requests.slice(before);
  expect(again).toContain('/page.js');
  expect(again.filter((path) => /^\/packs\/.*\.(bin|gguf|onnx|wasm)$/.test(path))).toEqual([]);
});

test('a page asks while its model is downloaded', async ({ newTab }) => {
  await withTestSite(['smollm2-135m'], async (site) => {
    const sendRest = holdRest(site);
    const tab = await newTab(site.url);
    await begin(tab);
    const answer = say(tab, CAPITAL, { model: SMOLLM2, max_tokens: 8 });
    await sendRest();
    expect(await answer).toContain('Paris');
    await tab.close();
  });
});

for (const { name, script, after } of ORDERS) {
  test(`a first visit on which the service worker starts while ${name} suffices to work offline`, async ({
    site,
    newTab,
  }) => {
    site.builds['sw.js'] = TELL_CLAIM;
    serveAfter(site, script, after);
    const tab = await newTab(site.url);
    await begin(tab, { model: TINY });
    await untilKept(tab, ['llamacpp.js'], ['llamacpp.wasm']);
    // This ends the model's worker, so its files are needed again.
    await unload(tab, TINY);
    site.online = false;
    expect(await say(tab, 'Hello!')).toBe(GREETING);
  });
}
