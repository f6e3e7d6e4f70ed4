import type { Page } from 'playwright/test';
import { openToolServer } from '../../support/servers/mcp-server.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { holdAnswers, lastAnswer, openConsole, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

const QUESTION = 'How is the weather in Paris?';

/** Lets the chat use a server. */
async function addServer(page: Page, url: string, token = ''): Promise<void> {
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  await settings.getByText('Tools of servers (MCP)').click();
  await settings.getByLabel('URL of an MCP server').fill(url);
  await settings.getByLabel('Token, if the server asks for one').fill(token);
  await settings.getByRole('button', { name: 'Add server' }).click();
  await expect(settings.getByRole('checkbox', { name: url })).toBeChecked();
  await page.keyboard.press('Escape');
}

function requestIn(page: Page) {
  return page.getByRole('region', { name: 'Call awaiting your approval' });
}

test('a call of a server waits for the user, who sees what it sends; its result is shown and kept', async ({
  context,
  closing,
}) => {
  const server = closing(await openToolServer());
  const page = await openConsole(context, closing);
  await addServer(page, server.url, 'secret');
  await send(page, QUESTION);
  const asked = await lastAnswer(page);
  await expect(asked).toContainText('offers 3 tools');
  await expect(requestIn(page)).toContainText('get_weather');
  await expect(requestIn(page)).toContainText('"city": "Paris"');
  expect(server.calls).toEqual([]);
  await expectAccessible(page, 'a call that waits');

  await requestIn(page).getByRole('button', { name: 'Allow this call' }).click();
  const answer = await lastAnswer(page);
  await expect(answer).toContainText('The function says:');
  await expect(answer).toContainText('sunny');
  expect(server.calls).toEqual([{ name: 'get_weather', arguments: { city: 'Paris' } }]);
  expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer secret');
  await expect(page.getByText('You allowed')).toBeVisible();
  await answer.getByText('Called on').click();
  await expectAccessible(page, 'a called server');

  await page.reload();
  await expect(page.getByText('You allowed')).toBeVisible();
  await expect(requestIn(page).getByRole('button', { name: 'Allow this call' })).toBeHidden();
  await send(page, 'Thanks');
  await lastAnswer(page);
  expect(server.calls).toHaveLength(1);
});

test('an answer that a server has helped is continued where it was stopped', async ({
  context,
  closing,
}) => {
  const server = closing(await openToolServer());
  const page = await openConsole(context, closing);
  await addServer(page, server.url);
  await send(page, QUESTION);
  await lastAnswer(page);
  const letGoOn = await holdAnswers(page, 3);
  await requestIn(page).getByRole('button', { name: 'Allow this call' }).click();
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toContainText('The function says:');
  await page.keyboard.press('Escape');
  await expect(answer).toContainText('Stopped');
  await letGoOn();
  await answer.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(answer).toContainText('sunny');
  await expect(await lastAnswer(page)).toContainText('The function says: {"temperature"');
  await expect(answer).toContainText('Called on');
  expect(server.calls).toHaveLength(1);
});

test('a call that is not allowed is not made, and the model is told', async ({
  context,
  closing,
}) => {
  const server = closing(await openToolServer());
  const page = await openConsole(context, closing);
  await addServer(page, server.url);
  await send(page, QUESTION);
  await lastAnswer(page);
  await requestIn(page).getByRole('button', { name: 'Do not allow' }).click();
  await expect(await lastAnswer(page)).toContainText('did not allow');
  expect(server.calls).toEqual([]);
});

test('a server that cannot be reached says so, and one that is removed is asked for nothing', async ({
  context,
  closing,
}) => {
  const server = await openToolServer();
  const page = await openConsole(context, closing);
  await addServer(page, server.url);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  // Plain HTTP is refused, except on this device.
  await settings.getByLabel('URL of an MCP server').fill('http://example.org/mcp');
  await settings.getByRole('button', { name: 'Add server' }).click();
  await expect(settings).toContainText('That is not a server’s URL.');
  await page.keyboard.press('Escape');
  await server.close();
  await send(page, QUESTION);
  await expect(await lastAnswer(page)).toContainText('http_error');

  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await page.getByRole('button', { name: `Remove ${server.url}` }).click();
  await page.keyboard.press('Escape');
  await send(page, 'Hello');
  await expect(await lastAnswer(page)).not.toContainText('http_error');
});
