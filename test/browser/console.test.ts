import { SITE } from '../../scripts/build-site.ts';
import { QUICK_SITE, serveFolder } from './support/built-sites.ts';
import { ask } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { CAPITAL } from './support/prompts.ts';

test('the chat answers, and still does without a network', async ({ fresh, closing }) => {
  test.setTimeout(400_000);
  const server = closing(await serveFolder(SITE));
  const page = await fresh.newPage();
  await page.goto(server.origin);
  await expect(await ask(page, CAPITAL)).toContainText('Paris');

  await server.close();
  await page.reload();
  await expect(await ask(page, CAPITAL)).toContainText('Paris');
});

test('without a GPU, a quiet line says so, with advice behind it', async ({
  withoutGpu,
  closing,
}) => {
  const { origin } = closing(await serveFolder(QUICK_SITE));
  const page = await withoutGpu.newPage();
  await page.goto(origin);
  const line = page.getByText('Runs on the CPU here');
  await expect(line).toBeVisible();
  const advice = page.getByText('enable-unsafe-webgpu');
  await expect(advice).toBeHidden();
  await line.click();
  await expect(advice).toBeVisible();
  await expect(page.getByLabel('Your message')).toBeEditable();
});
