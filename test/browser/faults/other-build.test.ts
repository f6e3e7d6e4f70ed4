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

test('a page of another build than the service worker asks the user to close all tabs', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  // The server has the page's build; the browser still runs another one.
  site.intercept = replaceFile('/sw.js', OTHER_BUILD);
  await expect(begin(page, { model: TINY })).rejects.toThrow('close them');
});

test('if the site itself has another service worker, the error names the command that updates it', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  const [run, read] = ['/sw.js', '/sw.js?version'].map((url) => replaceFile(url, OTHER_BUILD));
  site.intercept = (request, response) =>
    run?.(request, response) || read?.(request, response) || false;
  await expect(begin(page, { model: TINY })).rejects.toThrow(/sw\.js is of another .*slashv1 init/);
});
