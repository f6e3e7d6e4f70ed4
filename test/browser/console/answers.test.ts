import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import { violationsOf } from '../support/console/axe.ts';
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

const CODE = `// Says hello.
export class Greeter<T extends object> {
  readonly name = 'Ann';
  greet(times = 3): string {
    return \`<b>\${this.name}</b>\`.repeat(times);
  }
}`;

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

test('code is coloured when it is whole, readable in both themes, and stays text', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, 'Hello');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await answer.getByRole('button', { name: 'Edit answer' }).click();
  const text = `Here:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n- In a list:\n\n  \`\`\`py\n  def f(): return None\n  \`\`\`\n`;
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [first, second] = [answer.locator('pre').first(), answer.locator('pre').last()];
  await expect(first.locator('.hljs-keyword').first()).toHaveText('export');
  await expect(second.locator('.hljs-keyword').first()).toHaveText('def');
  await expect(first).toHaveText(CODE);
  await expect(first.locator('b')).toHaveCount(0);
  expect(loaded.filter((url) => url.includes('highlighter'))).toHaveLength(1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page, '.answer'), colorScheme).toEqual([]);
  }
});

test('formulas are drawn as MathML, tables are aligned, and each paragraph has its own direction', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, 'Hello');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await expect(answer).toContainText('tiny-chat');
  expect(loaded.filter((url) => url.includes('formula'))).toEqual([]);
  await answer.getByRole('button', { name: 'Edit answer' }).click();
  const text = [
    'It costs $5 or $6, and $x_1 = \\frac{1}{2}$ is a formula.',
    '$$\n\\sum_{i=1}^{n} i\n$$',
    '\\(\\href{javascript:alert(1)}{x}\\)',
    '$\\frac{$ broken',
    '$$\\nonsense{$$',
    '| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
    'שלום world',
    '- مرحبا',
  ].join('\n\n');
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(answer.locator('math mfrac')).toHaveCount(1);
  await expect(answer.locator('math[display=block] munderover')).toHaveCount(1);
  await expect(answer).toContainText('It costs $5 or $6');
  // What cannot be drawn is shown as its source, and nothing of a formula is a link.
  await expect(answer.locator('.formula code').last()).toHaveText('\\nonsense{');
  await expect(answer.locator('a, math [href]')).toHaveCount(0);
  const style = (of: Locator, name: string) =>
    of.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  for (const [index, align] of ['start', 'center', 'right'].entries()) {
    expect(await style(answer.getByRole('cell').nth(index), 'text-align')).toBe(align);
  }
  expect(await style(answer.getByText('שלום'), 'direction')).toBe('rtl');
  expect(await style(answer.getByText('مرحبا'), 'direction')).toBe('rtl');
  expect(await style(answer.getByText('It costs'), 'direction')).toBe('ltr');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page, '.answer'), colorScheme).toEqual([]);
  }
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
