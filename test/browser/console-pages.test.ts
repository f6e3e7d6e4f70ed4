import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { ROOT } from '../../scripts/stamp.ts';
import { ask, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { CAPITAL, PARIS } from './support/prompts.ts';

test.describe.configure({ timeout: 300_000 });

const GGUF =
  readdirSync(join(ROOT, 'models/packs/tiny-chat')).find((name) => name.endsWith('.gguf')) ?? '';

/** Drops a file on the page, as a user does from a file manager. */
async function drop(page: Page, bytes: Buffer, name: string): Promise<void> {
  await page.evaluate(
    ({ base64, fileName }) => {
      const data = new DataTransfer();
      const file = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      data.items.add(new File([file], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    },
    { base64: bytes.toString('base64'), fileName: name },
  );
}

test('models are loaded, unloaded and deleted, and a dropped GGUF file is added', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'tiny-chat' }) });
  await expect(card).toContainText('ready', { timeout: 60_000 });
  await card.getByRole('button', { name: 'Unload' }).click();
  await expect(card).toContainText('not loaded');
  await card.getByRole('button', { name: 'Load' }).click();
  await expect(card).toContainText('ready');
  await card.getByText('Details').click();
  await expect(card).toContainText('Used here');
  await card.getByRole('button', { name: 'Delete' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('region', { name: 'Comes with this page' })).toContainText(
    'tiny-chat',
  );

  const file = join(ROOT, 'models/packs/tiny-chat', GGUF);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await choosing).setFiles(join(ROOT, 'package.json'));
  const status = page.getByText('is not a .gguf file');
  await expect(status).toBeVisible();
  await drop(page, readFileSync(file), 'dropped.gguf');
  const dropped = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'dropped' }) });
  await dropped.getByRole('button', { name: 'Chat' }).click();
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  await page.getByRole('link', { name: 'Models' }).click();

  await page.getByLabel('Task', { exact: true }).selectOption('Speech');
  await expect(page.getByRole('heading', { name: 'tiny-chat' })).toBeHidden();
});

test('a key is created for one model, shown once, works, and is revoked', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByLabel('Label').fill('my app');
  await page.getByLabel('slashv1/tiny-chat').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('region', { name: 'New key' });
  const key = await created.locator('.copy-value').textContent();
  const status = () =>
    page.evaluate(async (given) => {
      const headers = { authorization: `Bearer ${given}` };
      return (await fetch('./v1/models', { headers })).status;
    }, key);
  expect(await status()).toBe(200);

  const entry = page
    .getByRole('list', { name: 'Keys' })
    .getByRole('listitem')
    .filter({ hasText: 'my app' });
  await expect(entry).toContainText('Only slashv1/tiny-chat');
  await expect(page.getByText('The key of this tab.')).toBeVisible();
  await page.getByRole('link', { name: 'Device' }).click();
  await page.getByRole('link', { name: 'Keys' }).click();
  await expect(created).toBeHidden();
  await entry.getByRole('button', { name: 'Revoke' }).click();
  await expect(entry).toBeHidden();
  expect(await status()).toBe(401);
});

test('the playground streams a chat, shows JSON, and says why a body is none', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  await expect(page.getByLabel('Body')).toHaveValue(/slashv1\/tiny-chat/);
  await page.getByRole('button', { name: 'Send' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await expect(response).toContainText('200 text/event-stream', { timeout: 60_000 });
  await expect(response).toHaveAttribute('aria-busy', 'false');
  await expect(response.getByRole('list', { name: 'Events' })).toContainText('data: [DONE]');

  await page.getByLabel('Body').fill('{');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await page.getByLabel('Endpoint').selectOption('POST /v1/tokenize');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response).toContainText('"tokens"');
  await page.getByLabel('Endpoint').selectOption('POST /v1/audio/speech');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response.locator('audio')).toBeVisible({ timeout: 120_000 });
});

test('an address opens its page, and an unknown one the chat', async ({ fresh, closing }) => {
  const page = await openConsole(fresh, closing);
  await page.goto(`${page.url()}#/device`);
  await page.reload();
  await expect(page.getByText('Engine for text')).toBeVisible();
  await expect(page).toHaveTitle('Device · slashv1');
  await page.evaluate(() => (location.hash = '#/nowhere'));
  await expect(page.getByLabel('Your message')).toBeVisible();
  await expect(page).toHaveTitle('slashv1');
});
