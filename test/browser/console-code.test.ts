import { AxeBuilder } from '@axe-core/playwright';
import { ask, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';

test.describe.configure({ timeout: 300_000 });

const CODE = `// Says hello.
export class Greeter<T extends object> {
  readonly name = 'Ann';
  greet(times = 3): string {
    return \`<b>\${this.name}</b>\`.repeat(times);
  }
}`;

test('code is coloured when it is whole, readable in both themes, and stays text', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing, ['tiny-chat']);
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
    const { violations } = await new AxeBuilder({ page }).include('.answer').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
