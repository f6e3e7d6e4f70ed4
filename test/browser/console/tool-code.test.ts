import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, lastAnswer, openConsole, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

const QUESTION = 'How is the weather in Paris?';
const TOOLS = [{ type: 'function', function: { name: 'get_weather' } }];

/** Gives the chat a function with this code. */
async function setCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  await settings.getByLabel('Functions that the model may call').fill(JSON.stringify(TOOLS));
  const field = settings.getByLabel('JavaScript of get_weather');
  await settings.getByLabel('Seed').click();
  await field.fill(code);
  await page.keyboard.press('Escape');
}

function waitingCode(page: Page): Locator {
  return page.getByRole('region', { name: 'Code awaiting your approval' });
}

test('code of a function runs once the user has allowed it, and later without asking; exports ask again', async ({
  context,
  closing,
  browser,
}) => {
  const page = await openConsole(context, closing);
  await setCode(page, 'return { city: args.city, degrees: await Promise.resolve(7 * 3) };');
  await send(page, QUESTION);
  await lastAnswer(page);
  await expect(waitingCode(page)).toContainText('degrees: await');
  await expect(waitingCode(page)).toContainText('"city": "Paris"');
  await expectAccessible(page, 'code that waits');
  await page.getByRole('button', { name: 'Allow and run' }).click();
  await expect(await lastAnswer(page)).toContainText('{"city":"Paris","degrees":21}');

  await send(page, QUESTION);
  await expect(page.getByText('{"city":"Paris","degrees":21}')).toHaveCount(2);
  await expect(waitingCode(page)).toBeHidden();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save all as JSON' }).click();
  const file = readFileSync(await (await downloading).path());
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(page.url().replace(/#.*/, ''));
  const choosing = other.waitForEvent('filechooser');
  await other.getByRole('button', { name: 'Import' }).click();
  const chats = { name: 'chats.json', mimeType: 'application/json', buffer: file };
  await (await choosing).setFiles(chats);
  await other.getByRole('link', { name: QUESTION }).click();
  await send(other, QUESTION);
  await lastAnswer(other);
  await expect(waitingCode(other)).toContainText('degrees: await');
  await other.getByRole('button', { name: 'Do not allow' }).click();
  await expect(await lastAnswer(other)).toContainText('The user did not allow this call.');
  await elsewhere.close();
});

test('code has neither a network nor a page, what it throws is told to the model, and an endless loop is ended', async ({
  context,
  closing,
}) => {
  // Whoever reaches it gets an answer, from any origin.
  const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' };
  await context.route(/leak/, (route) => route.fulfill({ headers, body: '' }));
  const page = await openConsole(context, closing);
  await page.clock.install();
  const url = JSON.stringify(`${new URL(page.url()).origin}/leak`);
  const failures = [
    `fetch(${url})`,
    `new Promise((_, fail) => { new WebSocket(${url.replace('http', 'ws')}).onerror = fail; })`,
    `importScripts(${url})`,
    'indexedDB.open("a")',
    'document.title',
  ].map((code) => `await (async () => ${code})().then(() => found.push(1), () => found.push(0));`);
  await setCode(page, `const found = []; ${failures.join('\n')} throw new Error(found.join(''));`);
  await send(page, QUESTION);
  await page.getByRole('button', { name: 'Allow and run' }).click();
  await expect(await lastAnswer(page)).toContainText('{"error":"Error: 00000"}');

  await setCode(page, 'for (;;);');
  const starting = page.waitForEvent('worker');
  await ask(page, QUESTION);
  await page.getByRole('button', { name: 'Allow and run' }).click();
  const ending = (await starting).waitForEvent('close');
  await page.clock.fastForward(10_000);
  await ending;
  await expect(await lastAnswer(page)).toContainText('It was ended');
});
