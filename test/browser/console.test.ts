import type { Page } from 'playwright/test';
import { buildSite, SITE } from '../../scripts/build-site.ts';
import { defaultPacks } from '../../scripts/packs.ts';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { expect, test } from './support/fixtures.ts';
import { closeServer, port } from './support/site.ts';

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
  await buildSite({ packs: await defaultPacks() });
  const server = createSiteServer(SITE);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await fresh.newPage();
  await page.goto(`http://127.0.0.1:${port(server)}/`);
  expect(await ask(page, 'What is the capital of France?')).toContain('Paris');

  await closeServer(server);
  await page.reload();
  expect(await ask(page, 'What is the capital of France?')).toContain('Paris');
});
