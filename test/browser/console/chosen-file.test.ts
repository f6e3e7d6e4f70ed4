import { cardOf, openConsole, scriptedEngine } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

test('a chosen file runs where it lies, and a click lets the page read it again', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('mine.gguf', { create: true });
    Object.assign(window, { showOpenFilePicker: () => Promise.resolve([handle]) });
  });
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await expect(cardOf(page, 'mine').getByRole('button', { name: 'Chat' })).toBeVisible();

  const engine = await scriptedEngine(page);
  await engine.evaluate(() => scripted.models.permissions.set('local/mine', 'prompt'));
  await page.getByRole('link', { name: 'Chat' }).first().click();
  await page.getByRole('link', { name: 'Models' }).click();
  const card = cardOf(page, 'mine');
  await expect(card.getByRole('button', { name: 'Chat' })).toBeHidden();
  await engine.evaluate(() => scripted.models.permissions.set('local/mine', 'granted'));
  await card.getByRole('button', { name: 'Allow reading its file' }).click();
  await expect(card.getByRole('button', { name: 'Chat' })).toBeVisible();
});
