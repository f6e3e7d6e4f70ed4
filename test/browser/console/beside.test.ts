import { expectAccessible } from '../support/console/accessible.ts';
import { ask, openConsole, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';

test('two models answer one question, and the chat goes on with the answer that the user chooses', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { packs: ['tiny-chat', 'tiny-see'] });
  await ask(page, 'Hello');
  // A model that comes with the site is downloaded when it first answers.
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await page.getByLabel('Second model').selectOption('tiny-see');
  await page.keyboard.press('Escape');
  await expect(page.getByText('tiny-see also answers each question.')).toBeVisible();
  await send(page, CAPITAL);
  const answers = page.locator('.beside-answers').getByRole('article', { name: 'Answer' });
  await expect(answers).toHaveCount(2);
  await expect(answers.last()).toHaveAttribute('aria-busy', 'false');
  await expect(answers).toContainText([PARIS, PARIS]);
  await expect(answers.first()).toContainText('tiny-chat');
  await expect(answers.last()).toContainText('tiny-see');
  const boxes = await answers.evaluateAll((all) =>
    all.map((each) => {
      const { left, right, top } = each.getBoundingClientRect();
      return { left, right, top };
    }),
  );
  expect(boxes[0]?.top).toBe(boxes[1]?.top);
  expect(boxes[0]?.right).toBeLessThanOrEqual(boxes[1]?.left ?? 0);
  await expectAccessible(page, 'two answers');

  await page.getByRole('button', { name: 'Continue with this answer' }).click();
  await expect(page.getByRole('button', { name: 'Continue with this answer' })).toHaveCount(1);
  await page.reload();
  await expect(answers).toContainText([PARIS, PARIS]);
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await ask(page, 'Hello');
  await expect(page.locator('.beside-answers')).toHaveCount(1);
});
