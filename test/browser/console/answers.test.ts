import { readFileSync } from 'node:fs';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, holdAnswers, lastAnswer, openConsole, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { placesWithText } from '../support/storage/stored-text.ts';
import { COUNTED, GREETING } from '../support/prompts.ts';

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

test('an answer goes on while another page is shown, and stops with Esc', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const letGoOn = await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toContainText('1 2 3 4 5');
  await page.getByRole('link', { name: 'Device' }).click();
  await expect(page.getByRole('heading', { name: 'Device', exact: false }).first()).toBeVisible();
  await letGoOn();
  await page.goBack();
  await expect(await lastAnswer(page)).toContainText(COUNTED);

  await holdAnswers(page, 5);
  await send(page, 'Count to 100.');
  await expect(answer).toContainText('1 2 3 4 5');
  await expect(answer).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(await lastAnswer(page)).toContainText('Stopped');
  await expect(answer).not.toContainText('6');
});

test('the end of an answer leaves the elements of its text in their place', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const letGoOn = await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  const paragraph = page.getByRole('article', { name: 'Answer' }).getByRole('paragraph').first();
  await expect(paragraph).toContainText('1 2 3 4 5');
  const element = await paragraph.elementHandle();
  await letGoOn();
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  expect(
    await element?.evaluate(({ isConnected, textContent }) => [isConnected, textContent]),
  ).toEqual([true, expect.stringContaining(COUNTED)]);
});

test('a question that waits says how many requests are before it, also to screen readers', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const letGoOn = await holdAnswers(page, 1);
  await send(page, 'Count to 60.');
  await expect(page.getByRole('article', { name: 'Answer' })).toContainText('1');
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await send(page, 'Hello');
  const waiting = page.getByRole('article', { name: 'Answer' });
  await expect(waiting).toContainText('1 request before yours');
  await expect(page.getByRole('log', { name: 'Answer' })).toContainText('1 request before yours');
  await expectAccessible(page, 'waiting');
  await letGoOn();
  const answer = await lastAnswer(page);
  await expect(answer).toContainText(GREETING);
  await expect(answer).not.toContainText('before yours');
});

test('a function call is shown folded, the user gives its result, and the model answers with it', async ({
  context,
  closing,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await openConsole(context, closing);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  const tools = settings.getByLabel('Functions that the model may call');
  await tools.fill('[{ "type": "function" }]');
  await settings.getByLabel('Seed').click();
  await expect(tools).toHaveAttribute('aria-invalid', 'true');
  await expect(settings).toContainText('Each tool needs function.name.');
  await tools.fill(JSON.stringify([WEATHER]));
  await settings.getByRole('button', { name: 'Close' }).click();

  const answer = await ask(page, 'What is the weather in Paris?');
  const call = answer.getByRole('group').filter({ hasText: 'Calls a function:' });
  await expect(call.locator('summary')).toHaveText('Calls a function: get_weather');
  await expect(answer.getByText('"Paris"')).toBeHidden();
  await call.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(call).toContainText('"city": "Paris"');
  await call.getByRole('button', { name: 'Copy code' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toEqual({ city: 'Paris' });

  const sending = answer.getByRole('button', { name: 'Send the results' });
  await expect(sending).toBeDisabled();
  await expectAccessible(page, 'function call');

  await answer
    .getByLabel('Result of get_weather')
    .fill('{"temperature": 21, "condition": "sunny"}');
  await sending.click();
  await expect(page.getByRole('article', { name: 'Results of functions' })).toBeVisible();
  await expect(await lastAnswer(page)).toContainText('The function says: {"temperature": 21');
  await expect(page.getByRole('button', { name: 'Send the results' })).toBeHidden();

  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save .* as Markdown$/ }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toContain('**get_weather**\n\n```\n{\n  "city": "Paris"\n}\n```');
  expect(file).toContain('**Results of functions**');
  await page.reload();
  await expect(page.getByText('Calls a function:')).toBeVisible();

  // When the results are deleted, they can be entered again.
  await page.getByRole('button', { name: 'Delete results and what follows' }).click();
  await expect(page.getByLabel('Result of get_weather')).toBeVisible();
});

test('an answer that repeats itself is ended, says so, and is tried again', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, `Say ${'a sea of dreams, '.repeat(80)}.`);
  await expect(answer).toContainText('The model was repeating itself');
  const text = await answer.locator('.markdown').textContent();
  expect(text?.length).toBeLessThan(700);
  await expectAccessible(page, 'loop');
  await answer.getByRole('button', { name: 'Try again' }).click();
  await expect(await lastAnswer(page)).toContainText('2 of 2');
  await page.reload();
  await expect(answer).toContainText('The model was repeating itself');
});

test('a structured answer is a tree, and a ring shows how full the context is', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const json = '{"city": "Paris", "sights": [{"name": "Louvre", "open": true}], "notes": []}';
  const answer = await ask(page, `Say ${json}.`);
  await expect(answer.getByRole('listitem').filter({ hasText: 'city' })).toHaveText('city Paris');
  await expect(answer.getByText('Louvre')).toBeVisible();
  await answer.getByText('sights').click();
  await expect(answer.getByText('Louvre')).toBeHidden();
  await expect(page.getByRole('meter', { name: /^Context: \d+ of [\d,]+ tokens$/ })).toBeVisible();
  await expectAccessible(page, 'tree');
});

test('an answer that repeats a character is drawn, and stays in a chat that is kept', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  for (const mark of ['>', '- ', '[']) {
    const answer = await ask(page, `Say ${mark.repeat(3_000)}a.`);
    await expect(answer).toContainText('a');
  }
  await expect.poll(() => placesWithText(page, '>>>>')).not.toEqual([]);
  await page.reload();
  await expect(page.getByRole('article', { name: 'Answer' })).toHaveCount(3);
});
