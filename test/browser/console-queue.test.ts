import { ask, lastAnswer, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { GREETING } from './support/prompts.ts';

test.describe.configure({ timeout: 300_000 });

test('a question that waits says how many requests are before it, also to screen readers', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing, ['tiny-chat']);
  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
  await ask(page, 'Hello');
  const { authorization = '' } = (await asking).headers();
  /** Begins an answer of 1,900 tokens; resolves with its first piece, and stops it when the page says so. */
  const begin = () =>
    page.evaluate(async (key) => {
      const stopping = new AbortController();
      addEventListener('stop', () => stopping.abort());
      const response = await fetch('./v1/chat/completions', {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'slashv1/tiny-chat', stream: true, ignore_eos: true, max_tokens: 1900 },
          messages: [{ role: 'user', content: 'Count to 100.' }],
        }),
        signal: stopping.signal,
      });
      await response.body?.getReader().read();
    }, authorization);
  await begin();
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await page.getByLabel('Your message').fill('Hello');
  await page.keyboard.press('Enter');
  const waiting = page.getByRole('article', { name: 'Answer' });
  await expect(waiting).toContainText('1 request before yours');
  await expect(page.getByRole('log', { name: 'Answer' })).toContainText('1 request before yours');
  await page.evaluate(() => dispatchEvent(new Event('stop')));
  const answer = await lastAnswer(page);
  await expect(answer).toContainText(GREETING);
  await expect(answer).not.toContainText('before yours');
});
