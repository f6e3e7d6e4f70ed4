import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** The list of chats that wide screens always show. */
function rail(page: Page) {
  return page.getByRole('complementary', { name: 'Chats' });
}

async function newChat(page: Page): Promise<void> {
  await rail(page).getByRole('button', { name: 'New chat' }).click();
  await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
}

/** Asks a question in a new chat each. */
async function askEach(page: Page, ...questions: string[]): Promise<void> {
  for (const question of questions) {
    await newChat(page);
    await ask(page, question);
  }
}

/** Does something with a chat of the list. */
async function act(page: Page, title: string, action: RegExp): Promise<void> {
  const row = rail(page).getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: `More for ${title}` }).click();
  await row.getByRole('group').getByRole('button', { name: action }).click();
}

async function importFile(page: Page, name: string, content: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await rail(page).getByRole('button', { name: 'Import' }).click();
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(content) };
  await (await choosing).setFiles([file]);
}

test('chats stay in sight: found by their texts, named, pinned, and deleted with undo', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const long = `Say ${'very '.repeat(20)}long.`;
  await askEach(page, long, 'Say zebra.', 'Say giraffe.', 'Hello');
  const rows = rail(page).getByRole('listitem');
  await expect(rows).toHaveText([/Hello/, /Say giraffe\./, /Say zebra\./, /Say very/]);

  const search = rail(page).getByRole('searchbox', { name: 'Search chats' });
  await search.fill('HELP you');
  await expect(rows).toHaveText([/Hello/]);
  await search.fill('no such words');
  await expect(rail(page).getByText('No chat contains these words.')).toBeVisible();
  await search.fill('');

  await act(page, 'Say zebra.', /^Rename/);
  const name = rail(page).getByRole('textbox', { name: 'Name of the chat' });
  await expect(name).toBeFocused();
  await name.fill('Stripes');
  await page.keyboard.press('Enter');
  await expect(rail(page).getByRole('button', { name: 'More for Stripes' })).toBeFocused();
  await act(page, 'Stripes', /^Pin/);
  await expect(rows).toHaveText([/Stripes/, /Hello/, /Say giraffe\./, /Say very/]);
  await expectAccessible(page, 'rail');
  const list = rail(page).getByRole('list');
  expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);

  await act(page, 'Say giraffe.', /^Delete/);
  await expect(rows).toHaveCount(3);
  await expect.poll(() => placesWithText(page, 'giraffe')).toEqual([]);
  await expect(page.getByText('Deleted: Say giraffe.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(4);

  await rail(page).getByRole('button', { name: 'Delete all' }).click();
  await expect(rail(page).getByText('No chats yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.reload();
  await expect(rows).toHaveText([/Stripes/, /Hello/, /Say giraffe\./, /Say very/]);
});

test('a turn that is being edited does not take the focus when its chat changes', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, 'Hello');
  await answer.getByRole('button', { name: 'Edit answer' }).click();
  const editor = page.getByLabel('Text', { exact: true });
  await expect(editor).toBeFocused();
  await editor.fill('half a thought');
  await act(page, 'Hello', /^Rename/);
  await rail(page).getByRole('textbox', { name: 'Name of the chat' }).fill('Greeting');
  await page.keyboard.press('Enter');
  // The page is drawn with the new name before the focus is looked at.
  await expect(page.getByRole('main').getByRole('heading', { name: 'Greeting' })).toBeAttached();
  await expect(rail(page).getByRole('button', { name: 'More for Greeting' })).toBeFocused();
  await expect(editor).toHaveValue('half a thought');
});

test('on a phone, a chat that is deleted in the dialog comes back', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await askEach(page, 'Say zebra.', 'Hello');
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByRole('button', { name: 'More for Say zebra.' }).click();
  await page.getByRole('button', { name: 'Delete Say zebra.' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Chats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Chats' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Hello/, /Say zebra\./]);
});

test('a deleted question comes back with what followed', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  await ask(page, 'Say blue.');
  // What offers Undo fits the smallest screen.
  await page.setViewportSize({ width: 320, height: 640 });
  const questions = page.getByRole('article', { name: 'You' });
  await questions
    .first()
    .getByRole('button', { name: /^Delete question/ })
    .click();
  await expect(questions).toHaveCount(0);
  const { x, width } = (await page.locator('.undo-bar').boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeLessThanOrEqual(320);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(questions).toHaveCount(2);
  await expect(page.getByRole('article', { name: 'Answer' }).last()).toContainText('blue');
});

test('each chat keeps what is typed into it, over pages and reloads', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await askEach(page, 'Say zebra.', 'Hello');
  const message = page.getByLabel('Your message');
  await message.fill('and then');
  await rail(page).getByRole('link', { name: 'Say zebra.' }).click();
  await expect(message).toHaveValue('');
  await message.fill('why stripes');
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect(message).toHaveValue('why stripes');
  await page.reload();
  await expect(message).toHaveValue('why stripes');
  await rail(page).getByRole('link', { name: 'Hello' }).click();
  await expect(message).toHaveValue('and then');
  await page.getByRole('button', { name: 'Send (Enter)' }).click();
  await expect(message).toHaveValue('');

  // What is typed into a private chat is not stored.
  await page.getByRole('button', { name: 'Private chat' }).click();
  await message.fill('a secret');
  await page.reload();
  await expect(message).toHaveValue('');
});

test('chats are saved, deleted and imported again, as are those of other products', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await askEach(page, 'Say zebra.', 'Hello');
  await rail(page).getByRole('button', { name: 'Private chat' }).click();
  await expect(page.getByText('This chat is private')).toBeVisible();
  await ask(page, 'Say okapi.');
  const rows = rail(page).getByRole('listitem');
  const savingAll = page.waitForEvent('download');
  await rail(page).getByRole('button', { name: 'Save all as JSON' }).click();
  const all = readFileSync(await (await savingAll).path(), 'utf8');
  expect(all).not.toContain('okapi');
  const savingOne = page.waitForEvent('download');
  await act(page, 'Say zebra.', /as JSON$/);
  expect((await savingOne).suggestedFilename()).toBe('Say zebra.json');

  await rail(page).getByRole('button', { name: 'Delete all' }).click();
  await expect(rows).toHaveCount(0);
  await importFile(page, 'chats.json', all);
  await expect(rail(page).getByText('2 chats imported.')).toBeVisible();
  await expect(rows).toHaveText([/Hello/, /Say zebra\./]);
  await importFile(page, 'chats.json', all);
  await expect(rail(page).getByText('0 chats imported.')).toBeVisible();
  await expect(rows).toHaveCount(2);

  const openAi = [
    {
      id: 'c1',
      title: 'Trip to Rome',
      update_time: 1,
      current_node: 'm2',
      mapping: {
        m1: {
          parent: null,
          message: { author: { role: 'user' }, content: { parts: ['Where is Rome?'] } },
        },
        m2: {
          parent: 'm1',
          message: { author: { role: 'assistant' }, content: { parts: ['In Italy.'] } },
        },
      },
    },
  ];
  await importFile(page, 'conversations.json', JSON.stringify(openAi));
  await rail(page).getByRole('link', { name: 'Trip to Rome' }).click();
  await expect(page.getByRole('article', { name: 'Answer' })).toContainText('In Italy.');
  await importFile(page, 'other.json', '{}');
  await expect(rail(page).getByText('other.json has no chats')).toBeVisible();
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new Error('The file has gone.'));
  });
  await importFile(page, 'gone.json', '{}');
  await expect(rail(page).getByText('The file has gone.')).toBeVisible();
});

test('chats, models, keys and settings are deleted in one place', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await askEach(page, 'Say zebra.', 'Say giraffe.');
  await act(page, 'Say giraffe.', /^Delete/);
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await page.getByLabel('Your message').fill('half a thought');
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByLabel('Label').fill('other');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'other' })).toBeVisible();
  await page.getByRole('link', { name: 'Device' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete everything?' });
  await expectAccessible(page, 'delete everything');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Everything is deleted.')).toBeVisible();
  await expect(undo).toBeHidden();

  expect(await placesWithText(page, 'zebra')).toEqual([]);
  const left = await page.evaluate(() => Object.keys(localStorage));
  expect(left.filter((name) => name.startsWith('slashv1-console-'))).toEqual([]);
  await page.getByRole('link', { name: 'Keys' }).click();
  await expect(page.getByRole('list', { name: 'Keys' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect(rail(page).getByText('No chats yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('region', { name: 'In this browser' })).toBeHidden();
});

test('shortcuts lead to chats, pages and actions, and are listed by a question mark', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'A turquoise yak');
  const answer = page.getByRole('article', { name: 'Answer' });
  await page.keyboard.press('Control+Shift+O');
  await expect(answer).toHaveCount(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  await expectAccessible(page, 'palette');
  await palette.getByLabel('Search chats, pages and actions').fill('keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await palette.getByLabel('Search chats, pages and actions').fill('yak');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(answer).toHaveCount(1);

  // In a field, it is text.
  const message = page.getByLabel('Your message');
  await message.fill('');
  await message.press('?');
  await expect(message).toHaveValue('?');
  await page.getByRole('button', { name: 'Copy answer' }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Send');
  await expectAccessible(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(message).toBeFocused();
  await expect(message).toHaveValue('?');
});
