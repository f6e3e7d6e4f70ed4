import { expectAccessible } from '../support/console/accessible.ts';
import { openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

test('the self-test computes, stores, reaches the API and asks a loaded model, and is in the report', async ({
  context,
  closing,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await openConsole(context, closing);
  await expect(page.getByRole('button', { name: /tiny-chat, ready/ })).toBeVisible();
  await page.getByRole('link', { name: 'Device' }).click();
  const section = page.getByRole('region', { name: 'Self-test' });
  await section.getByRole('button', { name: 'Test this device' }).click();
  await expect(section).toContainText('Everything that was tested works.');
  await expect(section).toContainText('It answered GET /v1/models');
  await expect(section).toContainText('A megabyte was written and read back');
  await expect(section).toContainText('It computed correctly; several threads can share memory');
  await expect(section).toContainText('slashv1/tiny-chat wrote a few words');
  const names = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? ''),
  );
  expect(names.filter((name) => name.includes('self-test'))).toEqual([]);
  const graphics = page.getByRole('region', { name: 'Graphics' });
  await expect(graphics.getByText('maxBufferSize')).toBeHidden();
  await graphics.getByText('Features and limits').click();
  await expect(graphics.getByText('maxBufferSize')).toBeVisible();
  await expectAccessible(page, 'features and limits');
  await page.getByRole('button', { name: 'Copy report' }).click();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain('## Self-test');
  expect(report).toMatch(/- Features: .+\n- max\w+: \d/);
  expect(report).toMatch(/## Engines\n- WebLLM: Runs models .*\n- llama\.cpp: Runs: /);
  expect(report).toMatch(/- Threads for text: The fastest number up to \d/);
  expect(report).not.toContain('sk-slashv1-');
});

test('the self-test says what does not work, and why', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await expect(page.getByRole('button', { name: /tiny-chat, ready/ })).toBeVisible();
  await page.getByRole('link', { name: 'Device' }).click();
  await page.evaluate(() => {
    const value = () => Promise.reject(new Error('The policy forbids it.'));
    Object.defineProperty(WebAssembly, 'instantiate', { value });
    Object.defineProperty(navigator, 'gpu', { value: undefined });
  });
  const section = page.getByRole('region', { name: 'Self-test' });
  await section.getByRole('button', { name: 'Test this device' }).click();
  await expect(section).toContainText('Something does not work.');
  await expect(section).toContainText('The policy forbids it.');
  await expect(section).toContainText('This browser has no WebGPU.');
});

test('prompts that are kept on disk are told, and can be deleted', async ({ context, closing }) => {
  const page = await openConsole(context, closing, { keptBytes: 12_300_000 });
  await page.getByRole('link', { name: 'Device' }).click();
  const section = page.getByRole('region', { name: 'Kept prompts' });
  await expect(section).toContainText('12.3 MB');
  await expectAccessible(page, 'kept prompts');
  await section.getByRole('button', { name: 'Delete kept prompts' }).click();
  await expect(section).toBeHidden();
  await expect(page.getByRole('region', { name: 'Self-test' })).toBeVisible();
});

test('without a GPU, a quiet line says so, with advice behind it', async ({ context, closing }) => {
  const page = await openConsole(context, closing, { gpu: 'none' });
  const line = page.getByText('Runs on the CPU here');
  await expect(line).toBeVisible();
  const advice = page.getByText('enable-unsafe-webgpu');
  await expect(advice).toBeHidden();
  await line.click();
  await expect(advice).toBeVisible();
  await expect(page.getByLabel('Your message')).toBeEditable();
});

test('an address opens its page, and an unknown one the chat', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.goto(`${page.url()}#/device`);
  await page.reload();
  await expect(page.getByText('Engine for text')).toBeVisible();
  await expect(page).toHaveTitle('Device · slashv1');
  await page.evaluate(() => (location.hash = '#/nowhere'));
  await expect(page.getByLabel('Your message')).toBeVisible();
  await expect(page).toHaveTitle('slashv1');
});

test('models that do not run here are folded away with their reason, unless they are searched', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { gpu: 'none' });
  await page.getByRole('link', { name: 'Models' }).click();
  const hub = page.getByRole('region', { name: 'From the model hub' });
  const card = hub.getByRole('listitem').filter({ hasText: 'It needs WebGPU' });
  await expect(hub.getByRole('listitem').first()).toBeVisible();
  await expect(card).toBeHidden();
  await hub.getByText('1 model that does not run on this device').click();
  await expect(card).toBeVisible();
  await expectAccessible(page, 'models that do not run');
  await hub.getByText('1 model that does not run on this device').click();
  await page.getByLabel('Search models').fill('SmolLM2');
  await expect(card).toBeVisible();

  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('button', { name: /^Model: tiny-chat/ }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: /SmolLM2/ });
  await expect(choice).toBeHidden();
  await page.getByRole('dialog').getByText('1 model that does not run').click();
  await expect(choice).toBeVisible();
});
