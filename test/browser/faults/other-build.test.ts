import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { replaceFile } from '../support/site.ts';

/** A service worker with another protocol. */
const OTHER_BUILD = `self.addEventListener('fetch', (event) => {
  if (!event.request.url.endsWith('/v1/.slashv1')) return;
  event.respondWith(new Response(null, { headers: { 'x-slashv1': 'older' } }));
});
self.addEventListener('message', () => self.clients.claim());`;

test.afterEach(({ site }) => {
  site.intercept = undefined;
});

test('an engine of another build than its tab refuses every request', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  const refusal = await page.evaluate(
    ([base]) =>
      new Promise((resolve) => {
        const worker = new Worker('engine.js', { type: 'module' });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        const config = { protocol: 'older', base, hub: base, libraries: base };
        worker.postMessage({ type: 'slashv1:configure', config });
        worker.postMessage({ type: 'slashv1:attach' }, [port2]);
      }),
    [site.url],
  );
  expect(refusal).toMatchObject({ type: 'refused', error: { code: 'engine_error' } });
});

test('a page with a service worker of another build names the command that brings its own', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  site.intercept = replaceFile('/sw.js', OTHER_BUILD);
  await expect(begin(page, { model: TINY })).rejects.toThrow(/sw\.js is of another .*slashv1 init/);
});
