import type { Page } from 'playwright/test';
import { SITE } from '../../scripts/build-site.ts';
import { serveFolder } from './support/built-sites.ts';
import { expect, test } from './support/fixtures.ts';

/** Asks in the chat and waits for the whole answer. */
async function ask(page: Page, text: string): Promise<string> {
  await page.getByLabel('Your message').fill(text);
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  return (await answer.textContent()) ?? '';
}

test('the chat answers, and goes on doing so without a network', async ({ fresh }) => {
  test.setTimeout(400_000);
  const server = await serveFolder(SITE);
  const page = await fresh.newPage();
  await page.goto(server.origin);
  expect(await ask(page, 'What is the capital of France?')).toContain('Paris');

  await server.close();
  await page.reload();
  expect(await ask(page, 'What is the capital of France?')).toContain('Paris');
});
