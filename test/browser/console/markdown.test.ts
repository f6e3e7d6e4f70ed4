import type { Locator, Page } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import { violationsOf } from '../support/console/axe.ts';
import { ask, losing, openConsole, rewrite } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

const CODE = `// Says hello.
export class Greeter<T extends object> {
  readonly name = 'Ann';
  greet(times = 3): string {
    return \`<b>\${this.name}</b>\`.repeat(times);
  }
}`;

/** In both themes, the answers have no fault of accessibility. */
async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page, '.answer'), colorScheme).toEqual([]);
  }
}

test('code is coloured when it is whole, readable in both themes, and stays text', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, 'Hello');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const text = `Here:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n- In a list:\n\n  \`\`\`py\n  def f(): return None\n  \`\`\`\n`;
  await rewrite(answer, text);
  const [first, second] = [answer.locator('pre').first(), answer.locator('pre').last()];
  await expect(first.locator('.hljs-keyword').first()).toHaveText('export');
  await expect(second.locator('.hljs-keyword').first()).toHaveText('def');
  await expect(first).toHaveText(CODE);
  await expect(first.locator('b')).toHaveCount(0);
  expect(loaded.filter((url) => url.includes('highlighter'))).toHaveLength(1);
  await expectReadable(page);
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
  const text = [
    'It costs $5 or $6, and $x_1 = \\frac{1}{2}$ is a formula.',
    '$$\n\\sum_{i=1}^{n} i\n$$',
    '\\(\\href{javascript:alert(1)}{x}\\)',
    '$\\frac{$ broken',
    '$$\\nonsense{$$',
    '| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
    'שלום world',
    '- مرحبا',
    '> اقتباس',
    '| لون | موجة |\n|---|---|\n| أزرق | 450 nm |',
    '`npm` ثبّت الحزمة',
  ].join('\n\n');
  await rewrite(answer, text);
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
  // The marks of lists and quotes stand where their text begins.
  expect(await style(answer.getByRole('list'), 'direction')).toBe('rtl');
  expect(await style(answer.locator('blockquote'), 'border-right-width')).toBe('2px');
  expect(await style(answer.locator('.table').last(), 'direction')).toBe('rtl');
  expect(await style(answer.getByRole('cell', { name: '450 nm' }), 'text-align')).toBe('right');
  expect(await style(answer.getByText('ثبّت'), 'direction')).toBe('rtl');
  expect(await style(answer.getByText('It costs'), 'direction')).toBe('ltr');
  await expectReadable(page);
});

test('code is wrapped and saved, a table scrolls on a phone, and a footnote is reached by its mark', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.setViewportSize({ width: 320, height: 700 });
  const answer = await ask(page, 'Hello');
  const columns = 'Parameters | Temperature | Perplexity | Throughput | Remarks';
  const text = [
    `\`\`\`python\nprint('${'long '.repeat(40)}')\n\`\`\``,
    `|${columns}|\n|-|-|-|-|-|\n|${columns}|`,
    'The sea is salty.[^1]',
    '[^1]: About 3.5 %, says\n  **NOAA**.',
  ].join('\n\n');
  await rewrite(answer, text);
  const code = answer.locator('pre');
  const overflows = (of: Locator) =>
    of.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  expect(await overflows(code)).toBe(true);
  await answer.getByRole('button', { name: 'Wrap lines' }).click();
  await expect.poll(() => overflows(code)).toBe(false);
  const downloading = page.waitForEvent('download');
  await answer.getByRole('button', { name: 'Save code' }).click();
  expect((await downloading).suggestedFilename()).toBe('code.py');
  // Words stay whole: the table is wider than the phone, and scrolls.
  expect(await overflows(answer.locator('.table'))).toBe(true);
  const heights = await answer
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(60);
  await answer.getByRole('button', { name: 'Footnote 1' }).click();
  const note = answer.getByText('About 3.5 %, says');
  await expect(note).toBeFocused();
  await expect(note.locator('strong')).toHaveText('NOAA');
  await expectAccessible(page, 'code and footnotes');
});

test('if what draws diagrams cannot be fetched, that is said, and tried again', async ({
  context,
  closing,
}) => {
  const { lost, find } = losing(/mermaid/);
  const page = await openConsole(context, closing, { lost });
  const answer = await ask(page, 'Hello');
  await rewrite(answer, '```mermaid\ngraph TD\n  A[Start] --> B[End]\n```');
  await expect(answer.getByRole('alert')).toContainText('could not be fetched');
  await expect(answer.locator('pre')).toBeVisible();
  await expectReadable(page);
  find();
  await answer.getByRole('button', { name: 'Try again' }).click();
  await expect(answer.frameLocator('iframe').locator('svg')).toBeVisible();
  await expect(answer.getByRole('alert')).toBeHidden();
});

test('pages and diagrams are shown in frames that reach neither the page nor the network', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const loaded: string[] = [];
  context.on('request', (request) => loaded.push(request.url()));
  const answer = await ask(page, 'Hello');
  const tries = `try { localStorage.length } catch { document.body.append('No storage. ') }
fetch('${page.url()}?leak').catch(() => document.body.append('No network.'));
new Image().src = '${page.url()}?leak';`;
  const html = `<h1>A page</h1><script>${tries}</script>`;
  const escape = `<script>location.href = '${page.url()}?leak'</script>`;
  const diagram = 'graph TD\n  A[Start] --> B[End]';
  const fences = [`mermaid\n${diagram}`, `html\n${html}`, `html\n${escape}`, 'mermaid\nnonsense'];
  expect(loaded.filter((url) => url.includes('mermaid'))).toEqual([]);
  await rewrite(answer, fences.map((code) => `\`\`\`${code}\n\`\`\``).join('\n\n'));
  const [drawn, shown] = [0, 1].map((index) => answer.locator('.code').nth(index));
  if (!drawn || !shown) throw new Error('There is no code.');
  await expect(drawn.frameLocator('iframe').getByText('Start', { exact: true })).toBeVisible();
  await expect(answer.getByText('This diagram cannot be drawn.')).toBeVisible();
  await drawn.getByRole('button', { name: 'Preview' }).click();
  await expect(drawn.locator('pre')).toHaveText(diagram);
  // A page is shown only when the user asks for it.
  await expect(shown.locator('pre')).toHaveText(html);
  await shown.getByRole('button', { name: 'Preview' }).click();
  const frame = shown.frameLocator('iframe');
  await expect(frame.getByRole('heading')).toHaveText('A page');
  await expect(frame.locator('body')).toContainText('No storage. No network.');
  const blocked = page.waitForEvent('console', (entry) => entry.text().includes('frame-src'));
  await answer.getByRole('button', { name: 'Preview' }).nth(2).click();
  await blocked;
  expect(loaded.filter((url) => url.includes('leak'))).toEqual([]);
});

test('only the last turn shows its controls without the pointer, and one figure stands for all', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await ask(page, 'Hello');
  await ask(page, 'Count to 5.');
  const [before, last] = [
    page.getByRole('article', { name: 'Answer' }).first(),
    page.getByRole('article', { name: 'Answer' }).last(),
  ];
  const opacity = (of: Locator) =>
    of.locator('.turn-actions').evaluate((element) => getComputedStyle(element).opacity);
  await page.getByLabel('Your message').hover();
  await expect.poll(() => opacity(before)).toBe('0');
  expect(await opacity(last)).toBe('1');
  await before.getByRole('button', { name: 'Copy answer' }).focus();
  await expect.poll(() => opacity(before)).toBe('1');
  await page.getByLabel('Your message').focus();
  await before.hover();
  await expect.poll(() => opacity(before)).toBe('1');
  await expect(last.getByText('7 prompt tokens')).toBeHidden();
  await last.locator('summary').click();
  await expect(last.getByText('7 prompt tokens')).toBeVisible();
});
