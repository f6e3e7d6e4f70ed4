import { onDemandCache } from '../../../src/core/site/engine-files.ts';
import { PAGE_API } from '../../../src/core/realms/page-api.ts';
import { say } from '../support/chat.ts';
import { begin, expect, openPage, reloadPage, test, TINY } from '../support/fixtures.ts';
import { OPENAI } from '../support/upstreams/intercepting.ts';
import { GREETING } from '../support/prompts.ts';
import { serveTestSite } from '../support/site.ts';

const OPTIONS = { model: TINY, intercept: [OPENAI] };

test('a site that answers for a service starts without a network after one visit', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const files = ['./', 'page.js', 'engine.js'].map((url) => ({ url, revision: '1' }));
  site.preludes['sw.js'] = `self.__WB_MANIFEST = ${JSON.stringify(files)};`;
  const page = await openPage(fresh, site.url);
  // The page loads this part of the library before there is a service worker that could keep it.
  await begin(page, OPTIONS);
  const kept = () =>
    page.evaluate(async (name) => {
      const cache = await caches.open(name);
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }, onDemandCache('/'));
  const wanted = [`/${PAGE_API}`, '/llamacpp.js', '/llamacpp.wasm'];
  await expect.poll(kept).toEqual(expect.arrayContaining(wanted));
  site.online = false;
  await reloadPage(page);
  await begin(page, OPTIONS);
  expect(await say(page, 'Hello!')).toBe(GREETING);
});
