import { readFileSync } from 'node:fs';
import { expectAccessible } from './support/accessible.ts';
import { ask, lastAnswer, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

test.describe.configure({ timeout: 300_000 });

test('a function call is shown folded, the user gives its result, and the model answers with it', async ({
  fresh,
  closing,
}) => {
  await fresh.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await openConsole(fresh, closing);
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

  const send = answer.getByRole('button', { name: 'Send the results' });
  await expect(send).toBeDisabled();
  await expectAccessible(page, 'function call');

  await answer
    .getByLabel('Result of get_weather')
    .fill('{"temperature": 21, "condition": "sunny"}');
  await send.click();
  await expect(page.getByRole('article', { name: 'Results of functions' })).toBeVisible();
  await expect(await lastAnswer(page)).toContainText('The weather in Paris is sunny, 21 degrees.');
  await expect(page.getByRole('button', { name: 'Send the results' })).toBeHidden();

  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByLabel('Keep chats on this device').check();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save .* as Markdown$/ }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toContain('**get_weather**\n\n```\n{\n  "city": "Paris"\n}\n```');
  expect(file).toContain('**Results of functions**');
  await page.reload();
  await expect(page.getByText('Calls a function:')).toBeVisible();

  // Without the results, they can be given anew.
  await page.getByRole('button', { name: 'Delete results and what follows' }).click();
  await expect(page.getByLabel('Result of get_weather')).toBeVisible();
});
