import type { Locator, Page } from 'playwright/test';
import { QUICK_SITE, serveFolder, serveQuickSite } from './built-sites.ts';
import { expect } from './fixtures.ts';
import { slowDownNow } from './slow-llama.ts';

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

/** Opens the page of requests, which lists them from its first visit on. */
export async function openRequests(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Requests' }).click();
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible();
}

/** Asks in the chat; resolves with the whole answer. */
export async function ask(page: Page, text: string): Promise<Locator> {
  await page.getByLabel('Your message').fill(text);
  // There is no model to send to before.
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
  await page.keyboard.press('Enter');
  return lastAnswer(page);
}

/**
 * Keeps the model busy for a minute or longer, with the key of the chat's first question: begins answers of 1,900 tokens,
 * and resolves with the first piece. The returned function stops them.
 */
export async function beginLongAnswers(page: Page): Promise<() => Promise<void>> {
  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
  await ask(page, 'Hello');
  const { authorization = '' } = (await asking).headers();
  const atFullSpeed = await slowDownNow(page, 50);
  await page.evaluate(async (key) => {
    const stopping = new AbortController();
    addEventListener('stop', () => stopping.abort());
    const begin = async () => {
      const response = await fetch('./v1/chat/completions', {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'slashv1/tiny-chat',
          stream: true,
          ignore_eos: true,
          max_tokens: 1900,
          messages: [{ role: 'user', content: 'Count to 100.' }],
        }),
        signal: stopping.signal,
      });
      await response.body?.getReader().read();
    };
    await begin();
    for (let more = 0; more < 5; more++) void begin().catch(() => undefined);
  }, authorization);
  return async () => {
    await page.evaluate(() => dispatchEvent(new Event('stop')));
    await atFullSpeed();
  };
}

/** The last answer of the chat, once it is complete. */
export async function lastAnswer(page: Page): Promise<Locator> {
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  return answer;
}
