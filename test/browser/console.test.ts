import type { Page } from 'playwright/test';
import { SITE } from '../../scripts/build-site.ts';
import { serveFolder } from './support/built-sites.ts';
import { expect, test } from './support/fixtures.ts';
import { CAPITAL } from './support/prompts.ts';

/** Asks in the chat; resolves with the whole answer. */
async function ask(page: Page, text: string): Promise<string> {
  await page.getByLabel('Your message').fill(text);
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
