import type { Page } from 'playwright/test';
import { ask, openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

/** Goes to a page with keys only. */
async function goByPalette(page: Page, name: string, heading = name): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('searchbox', { name: 'Search chats, pages' })).toBeFocused();
  await page.keyboard.insertText(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

test('what had the focus in a chat may disappear: a keyboard goes on near its place', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  await ask(page, 'Say blue.');
  const message = page.getByLabel('Your message');
  await expect(message).toBeFocused();
  const question = page.getByRole('article', { name: 'You' }).last();
  await question.getByRole('button', { name: 'Edit question' }).press('Enter');
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question.locator(':focus')).toHaveCount(1);

  await question.getByRole('button', { name: /^Delete question/ }).press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toContainText('Say blue.');
  await expect(message).toBeFocused();

  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).press('Enter');
  const files = ['one.txt', 'two.txt'].map((name) => {
    return { name, mimeType: 'text/plain', buffer: Buffer.from(name) };
  });
  await (await choosing).setFiles(files);
  await page.getByRole('button', { name: 'Remove one.txt' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove two.txt' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message).toBeFocused();
});

test('dialogs that are left by a button give the focus back, and new pages take it', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await expect(page.getByLabel('Your message')).toBeFocused();
  await goByPalette(page, 'Device');
  await expect(page.locator('#main')).toBeFocused();
  const all = page.getByRole('button', { name: 'Delete everything' });
  await all.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(all).toBeFocused();

  await page.keyboard.press('Control+Shift+O');
  await expect(page.getByLabel('Your message')).toBeFocused();
  await page.getByRole('button', { name: 'Dark theme' }).focus();
  await goByPalette(page, 'New chat', 'This page is an API.');
  await expect(page.getByLabel('Your message')).toBeFocused();

  await goByPalette(page, 'Keys');
  await page.getByRole('button', { name: 'Create key' }).press('Enter');
  await expect(page.getByRole('region', { name: 'New key' })).toBeFocused();
  await page.getByRole('button', { name: 'Revoke' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Revoke' })).toBeHidden();
  await expect(page.locator('main :focus')).toHaveCount(1);
});
