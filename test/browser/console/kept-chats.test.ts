import type { Page } from 'playwright/test';
import {
  ask,
  holdAnswers,
  lastAnswer,
  openConsole,
  scriptedEngine,
  send,
} from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { COUNTED, GREETING } from '../support/prompts.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

const KEEP = 'Keep chats on this device';

test('chats are kept unless the user switches it off, survive a reload and reach other tabs', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const secret = 'Say zebra.';
  await ask(page, secret);
  const keep = page.getByRole('main').getByLabel(KEEP);
  await expect(keep).toBeChecked();
  await expect.poll(() => placesWithText(page, secret)).not.toEqual([]);
  await page.reload();
  await expect(page.getByRole('article', { name: 'You' })).toContainText(secret);

  await keep.uncheck();
  await expect.poll(() => placesWithText(page, secret)).toEqual([]);
  // The chat stays on the page until the tab ends, so the switch can be set back.
  await expect(page.getByRole('article', { name: 'You' })).toContainText(secret);
  await keep.check();
  await expect.poll(() => placesWithText(page, secret)).not.toEqual([]);

  const other = await context.newPage();
  await other.goto(page.url());
  await ask(other, 'Hello');
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(2);
});

test('a private chat is one click away, is stored nowhere, and ends with its tab', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('button', { name: 'Private chat' }).click();
  const note = page.getByText('This chat is private');
  await expect(note).toBeVisible();
  await ask(page, 'Say zebra.');
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await ask(page, 'Say giraffe.');
  await expect.poll(() => placesWithText(page, 'giraffe')).not.toEqual([]);
  expect(await placesWithText(page, 'zebra')).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('article', { name: 'You' })).toContainText('zebra');
  await page.reload();
  // The address of a private chat stays private, although the chat has ended.
  await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
  await expect(note).toBeVisible();
  await page.getByLabel('Your message').fill('Say okapi.');
  expect(await placesWithText(page, 'okapi')).toEqual([]);
  await ask(page, 'Say okapi.');
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await expect(note).toBeHidden();
  await ask(page, 'Say heron.');
  await expect.poll(() => placesWithText(page, 'heron')).not.toEqual([]);
  expect(await placesWithText(page, 'okapi')).toEqual([]);
});

test('an answer that a reload interrupts shows what came, and is continued', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  await expect.poll(() => placesWithText(page, '1 2 3 4 5')).not.toEqual([]);
  await page.reload();
  const answer = await lastAnswer(page);
  await expect(answer).toContainText('1 2 3 4 5');
  await expect(answer).toContainText('Interrupted');
  await answer.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(answer).toContainText('60');
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  await expect(answer.getByRole('button', { name: 'Continue', exact: true })).toBeHidden();
  await page.reload();
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  await expect(answer).not.toContainText('Interrupted');
});

test('a stopped answer is continued, and another tab does not take a running one for interrupted', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  await expect.poll(() => placesWithText(page, '1 2 3 4 5')).not.toEqual([]);
  const other = await context.newPage();
  await other.goto(page.url());
  const answer = other.getByRole('article', { name: 'Answer' });
  await expect(answer).toContainText('Another tab is writing this answer.');
  await expect(answer).toContainText('1 2 3 4 5');

  await page.keyboard.press('Escape');
  await expect(answer).toContainText('Stopped');
  const engine = await scriptedEngine(page);
  await engine.evaluate(() => scripted.go());
  await answer.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(await lastAnswer(other)).toContainText(COUNTED);
  await expect(await lastAnswer(page)).toContainText(COUNTED);
});

test('an interrupted answer that is continued in one tab is not offered to be continued in another', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  await expect.poll(() => placesWithText(page, '1 2 3 4 5')).not.toEqual([]);
  await page.reload();
  const goOn = { name: 'Continue', exact: true };
  await expect(page.getByRole('button', goOn)).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('button', goOn)).toBeVisible();

  const letGo = await holdAnswers(page, 20);
  await page.getByRole('button', goOn).click();
  const answer = other.getByRole('article', { name: 'Answer' });
  await expect(answer).toContainText('1 2 3 4 5 6');
  await expect(answer).toContainText('Another tab is writing this answer.');
  await expect(other.getByRole('button', goOn)).toBeHidden();
  await letGo();
  await expect(await lastAnswer(other)).toContainText(COUNTED);
});

test('a question that is asked during a download says what it waits for', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { held: { 'slashv1/tiny-chat': 1000 } });
  await send(page, 'Hello');
  const answer = page.getByRole('article', { name: 'Answer' });
  await expect(answer).toContainText('Waiting for tiny-chat');
  await expect(answer).toContainText('Downloading');
  const status = page.getByRole('region', { name: 'Model status' });
  await expect(status).not.toContainText('No data is arriving');
  await context.setOffline(true);
  await expect(status).toContainText('No data is arriving. Check your network');
  await context.setOffline(false);
  const engine = await scriptedEngine(page);
  await engine.evaluate(() => scripted.models.letDownload('slashv1/tiny-chat'));
  await expect(await lastAnswer(page)).toContainText(GREETING);
  await expect(answer).not.toContainText('Waiting for');
});

/** Heights of the document and of what shows the chat. */
function heights(page: Page) {
  return page.evaluate(() => ({
    document: document.documentElement.scrollHeight,
    window: innerHeight,
    chat: document.querySelector('main')?.scrollHeight ?? 0,
  }));
}

for (const width of [390, 844, 1440]) {
  test(`long answers do not lengthen the document, ${width} pixels wide`, async ({
    context,
    closing,
  }) => {
    const page = await openConsole(context, closing);
    await page.setViewportSize({ width, height: 600 });
    await ask(page, `Say ${'blue '.repeat(100)}.`);
    const answer = await lastAnswer(page);
    await answer.getByRole('button', { name: 'Edit answer' }).click();
    await page.getByLabel('Text', { exact: true }).fill('```\nblue\n```\n\nred\n\n'.repeat(60));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(answer.getByRole('button', { name: 'Copy code' })).toHaveCount(60);
    const { document, window, chat } = await heights(page);
    expect(chat).toBeGreaterThan(3 * window);
    expect(document).toBe(window);
  });
}
