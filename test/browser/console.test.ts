import type { Page } from 'playwright/test';
import { SITE } from '../../scripts/build-site.ts';
import { QUICK_SITE, serveFolder } from './support/built-sites.ts';
import { expect, test } from './support/fixtures.ts';
import { CAPITAL } from './support/prompts.ts';

/** Asks in the chat; resolves with the whole answer. */
async function ask(page: Page, text: string): Promise<string> {
  await page.getByLabel('Your message').fill(text);
  // There is no model to send to before.
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  return (await answer.textContent()) ?? '';
}

test('the chat answers, and still does without a network', async ({ fresh, closing }) => {
  test.setTimeout(400_000);
  const server = closing(await serveFolder(SITE));
  const page = await fresh.newPage();
  await page.goto(server.origin);
  expect(await ask(page, CAPITAL)).toContain('Paris');

  await server.close();
  await page.reload();
  expect(await ask(page, CAPITAL)).toContain('Paris');
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
