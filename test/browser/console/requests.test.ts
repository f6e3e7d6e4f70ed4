import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import type * as Library from '../../../src/index.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, openConsole, openRequests } from '../support/console/console.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { LIBRARY_FOLDER } from '../support/site.ts';

/** Begins to record the contents of requests. */
async function record(page: Page): Promise<void> {
  const box = page.getByLabel('Record contents');
  await box.check();
  // Once the box is enabled, the requests of other tabs are recorded, too.
  await expect(box).toBeEnabled();
}

/** Asks in the chat while contents are recorded; resolves with the row of the request. */
async function recordChat(page: Page, text: string): Promise<Locator> {
  await page.getByRole('link', { name: 'Requests' }).click();
  await record(page);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await ask(page, text);
  await page.getByRole('link', { name: 'Requests' }).click();
  return page.getByRole('row').filter({ hasText: 'chat/completions' });
}

test('requests of two tabs are listed, opened by keyboard, filtered, paused and cleared', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await openRequests(page);
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') });

  const other = await context.newPage();
  await other.goto(page.url().replace('#/requests', '#/chat'));
  await ask(other, 'a turquoise yak');
  const chat = rows.filter({ hasText: 'chat/completions' });
  await expect(chat).toHaveCount(1);
  await expect(chat).toContainText('session');
  await expect(chat).toContainText('tiny-chat');
  await expect(chat).toContainText('200');
  await chat.getByRole('button').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Parameters' })).toContainText('"stream": true');
  await expect(dialog).not.toContainText('turquoise yak');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await record(page);
  await ask(other, 'a turquoise yak');
  await expect(chat).toHaveCount(2);
  await chat.first().getByRole('button').click();
  await expect(dialog.getByRole('region', { name: 'Body' })).toContainText('turquoise yak');
  await expect(dialog.getByRole('region', { name: 'Answer' })).toBeVisible();
  const code = dialog.getByRole('tabpanel');
  await expect(code).toContainText('curl');
  await dialog.getByRole('tab', { name: 'openai package' }).click();
  await expect(code).toContainText('client.chat.completions.create');
  await dialog.getByRole('tab', { name: 'fetch' }).click();
  await expect(code).toContainText('turquoise yak');
  await dialog.getByRole('button', { name: 'Open in the playground' }).click();
  await expect(page.getByRole('heading', { name: 'Playground' })).toBeVisible();
  await expect(page.getByLabel('Body')).toHaveValue(/turquoise yak/);

  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByLabel('Filter').fill('chat nothing-like-this');
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.getByLabel('Filter').fill('COMPLETIONS tiny');
  await expect(chat).toHaveCount(2);

  await page.getByRole('button', { name: 'Pause' }).click();
  await ask(other, 'Hello');
  await expect(chat).toHaveCount(2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(chat).toHaveCount(3);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(rows).toHaveCount(0);
});

test('the first request of the tab is listed, the console’s own are not, and its code is there in Python, too', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  await openRequests(page);
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('chat/completions');
  await rows.getByRole('button').click();
  await page.getByRole('tab', { name: 'Python' }).click();
  const code = page.getByRole('tabpanel');
  await expect(code).toContainText('client.chat.completions.create(');
  await expect(code).toContainText('stream=True');
});

test('an opened request says where its route has led, and why not elsewhere', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await openRequests(page);
  const other = await context.newPage();
  await other.goto(page.url());
  const script = readFileSync(join(LIBRARY_FOLDER, 'slashv1.js'), 'utf8');
  await other.evaluate(
    async ([code, model]) => {
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      const { start } = (await import(url)) as typeof Library;
      const routes = { assistant: ['device:o/none', `device:${model}`] };
      const { baseURL, apiKey } = await start({ base: '/', routes });
      const messages = [{ role: 'user', content: 'Hello' }];
      const headers = { authorization: `Bearer ${apiKey}` };
      const body = JSON.stringify({ model: 'assistant', messages, max_tokens: 4 });
      await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body });
    },
    [script, TINY] as const,
  );
  const row = page.getByRole('row').filter({ hasText: 'chat/completions' });
  await expect(row).toContainText('200');
  await row.getByRole('button').click();
  const route = page.getByRole('region', { name: 'Route' });
  await expect(route.getByRole('heading')).toHaveText('Route assistant');
  await expect(route.getByRole('listitem')).toHaveText([
    /^device:o\/none: The model 'o\/none' does not exist/,
    `device:${TINY}: serves the request.`,
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  const isWide = page.getByRole('dialog').evaluate((box) => box.scrollWidth > box.clientWidth);
  expect(await isWide).toBe(false);
});

test('what was recorded is forgotten when it is switched off, and when the tab is closed', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const row = await recordChat(page, 'a turquoise yak');
  await row.getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText('turquoise yak');
  await page.keyboard.press('Escape');
  await page.getByLabel('Record contents').uncheck();
  await row.getByRole('button').click();
  await expect(page.getByRole('region', { name: 'Parameters' })).toBeVisible();
  await expect(page.getByRole('dialog')).not.toContainText('turquoise yak');
  await page.reload();
  await expect(page.getByLabel('Record contents')).not.toBeChecked();
  // The console's own requests may be listed.
  await expect(row).toHaveCount(0);
});

test('an open request and the table of many have no axe violation and fit a phone', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const row = await recordChat(page, 'Hello');
  await expectAccessible(page, 'table');
  await row.getByRole('button').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'open request');
});
