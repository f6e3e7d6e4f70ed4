import { expect, openPage, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { isolate, serveTestSite, type Intercept } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';

/** The headers of hosts such as jsDelivr and unpkg. */
const shared: Intercept = (_request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  return false;
};

for (const isIsolated of [false, true]) {
  const kind = isIsolated ? 'an isolated page, with threads,' : 'a page';
  test(`${kind} takes all files of slashv1 from another host`, async ({ fresh, closing }) => {
    const cdn = closing(await serveTestSite('/npm/slashv1/', ['tiny-chat']));
    cdn.intercept = shared;
    const site = closing(await serveTestSite('/notebook/', []));
    if (isIsolated) site.intercept = isolate;
    const page = await openPage(fresh, site.url);
    const before = site.requests.length;
    const [text, threads] = await page.evaluate(
      async ([base, model, content]) => {
        const { start } = (await import(`${base}slashv1.js`)) as typeof window.slashv1;
        const options = { base, serviceWorker: false, engines: ['llamacpp' as const], threads: 2 };
        const { device, baseURL, apiKey, fetch } = await start({ ...options, model });
        const response = await fetch(`${baseURL}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ model, messages: [{ role: 'user', content }], temperature: 0 }),
        });
        const { choices } = await response.json();
        return [choices[0].message.content as string, device.threads.llamacpp.count] as const;
      },
      [cdn.url, TINY, 'Hello!'] as const,
    );
    expect([text, threads]).toEqual([GREETING, isIsolated ? 2 : 1]);
    expect(cdn.requests).toContain(`/npm/slashv1/llamacpp${isIsolated ? '-threads' : ''}.wasm`);
    expect(site.requests.slice(before)).toEqual([]);
  });
}

test('with a service worker, which no other host can give, the error names the way without', async ({
  fresh,
  closing,
}) => {
  const cdn = closing(await serveTestSite('/', []));
  cdn.intercept = shared;
  const site = closing(await serveTestSite('/', []));
  const page = await openPage(fresh, site.url);
  const [code, message] = await startFailure(page, { base: cdn.url });
  expect(code).toBe('service_worker_failed');
  expect(message).toContain('start({ serviceWorker: false })');
});
