import { expectAccessible } from '../support/console/accessible.ts';
import { ask, openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

declare global {
  /** How often the browser was asked to install the page. */
  var installs: number;
}

test('installing is offered once, below an answer, and never again', async ({
  context,
  closing,
}) => {
  // A browser under test does not offer it by itself.
  await context.addInitScript(() => {
    globalThis.installs = 0;
    addEventListener('load', () => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      const prompt = () => Promise.resolve(globalThis.installs++);
      dispatchEvent(Object.assign(offer, { prompt }));
    });
  });
  const page = await openConsole(context, closing);
  const offer = page.getByRole('region', { name: 'Install slashv1' });
  await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
  await expect(offer).toBeHidden();
  await ask(page, 'Hello');
  await expect(offer).toContainText('works without a network');
  await expectAccessible(page, 'the offer to install');
  await offer.getByRole('button', { name: 'Install slashv1' }).click();
  expect(await page.evaluate(() => globalThis.installs)).toBe(1);
  await expect(offer).toBeHidden();
  await page.reload();
  await ask(page, 'Hello');
  await expect(offer).toBeHidden();
});

test('the manifest names an id, shortcuts, what it opens and takes, and pictures of their sizes', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const { origin } = new URL(page.url());
  const manifest = await (await page.request.get(`${origin}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({
    id: './',
    shortcuts: [{ url: './#/chat' }, { url: './#/chat/private' }, { url: './#/models' }],
    share_target: { action: './' },
    file_handlers: [{ action: './' }],
    screenshots: [{ form_factor: 'wide' }, { form_factor: 'narrow' }],
  });
  for (const { src, sizes } of manifest.screenshots) {
    const size = await page.evaluate(async (url: string) => {
      const { width, height } = await createImageBitmap(await (await fetch(url)).blob());
      return `${width}x${height}`;
    }, src);
    expect(size).toBe(sizes);
  }
});

test('a first visit fetches each file of the shell once, also those that the service worker keeps', async ({
  context,
  closing,
}) => {
  const asked: string[] = [];
  const page = await openConsole(context, closing, { asked });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await ask(page, 'Hello');
  const assets = asked.filter((path) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(10);
  expect(assets).toEqual([...new Set(assets)]);
});
