import type { Locator, Page } from 'playwright/test';
import { QUICK_SITE, serveFolder, serveQuickSite } from './built-sites.ts';
import { expect } from './fixtures.ts';

/**
 * The built console with models that load fast, in a page of this profile.
 *
 * @param packs - names of its packs; default: those of the quick site
 */
export async function openConsole(
  context: { newPage(): Promise<Page> },
  closing: <T extends { close(): Promise<unknown> }>(server: T) => T,
  packs?: string[],
): Promise<Page> {
  const { origin } = closing(await (packs ? serveQuickSite(packs) : serveFolder(QUICK_SITE)));
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

/** Asks in the chat; resolves with the whole answer. */
export async function ask(page: Page, text: string): Promise<Locator> {
  await page.getByLabel('Your message').fill(text);
  // There is no model to send to before.
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
  await page.keyboard.press('Enter');
  return lastAnswer(page);
}

/** The last answer of the chat, once it is complete. */
export async function lastAnswer(page: Page): Promise<Locator> {
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  return answer;
}
