import { expectAccessible } from './support/accessible.ts';
import { beginLongAnswers, lastAnswer, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { GREETING } from './support/prompts.ts';

test.describe.configure({ timeout: 300_000 });

test('a question that waits says how many requests are before it, also to screen readers', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing, ['tiny-chat']);
  const stop = await beginLongAnswers(page);
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await page.getByLabel('Your message').fill('Hello');
  await page.keyboard.press('Enter');
  const waiting = page.getByRole('article', { name: 'Answer' });
  await expect(waiting).toContainText(/\d requests? before yours/);
  await expect(page.getByRole('log', { name: 'Answer' })).toContainText(
    /\d requests? before yours/,
  );
  await expectAccessible(page, 'waiting');
  await expect(waiting).toContainText(/\d requests? before yours/);
  await stop();
  const answer = await lastAnswer(page);
  await expect(answer).toContainText(GREETING);
  await expect(answer).not.toContainText('before yours');
});
