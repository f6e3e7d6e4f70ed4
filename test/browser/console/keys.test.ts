import { openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

test('a key is created for one model, shown once, works, and is revoked', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByLabel('Label').fill('my app');
  await page.getByLabel('slashv1/tiny-chat').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('region', { name: 'New key' });
  await expect(created).toBeFocused();
  await expect(created.locator('.copy-value')).toBeInViewport();
  const key = await created.locator('.copy-value').textContent();
  const status = () =>
    page.evaluate(async (given) => {
      const headers = { authorization: `Bearer ${given}` };
      return (await fetch('./v1/models', { headers })).status;
    }, key);
  expect(await status()).toBe(200);

  const entry = page
    .getByRole('list', { name: 'Keys' })
    .getByRole('listitem')
    .filter({ hasText: 'my app' });
  await expect(entry).toContainText('Only slashv1/tiny-chat');
  await expect(page.getByText('This tab’s key.')).toBeVisible();
  await page.getByRole('link', { name: 'Device' }).click();
  await page.getByRole('link', { name: 'Keys' }).click();
  await expect(created).toBeHidden();
  await entry.getByRole('button', { name: 'Revoke' }).click();
  await expect(entry).toBeHidden();
  expect(await status()).toBe(401);
});

test('a key is created with limits, which its card shows', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByLabel('Label').fill('limited');
  await page.getByText('Endpoints', { exact: true }).first().click();
  await page.getByLabel('embeddings', { exact: true }).check();
  await page.getByLabel('Tokens per day').fill('500');
  await page.keyboard.press('Tab');
  await page.getByLabel('Valid').selectOption('One week');
  await page.getByRole('button', { name: 'Create key' }).click();
  const card = page
    .getByRole('list', { name: 'Keys' })
    .getByRole('listitem')
    .filter({ hasText: 'limited' });
  await expect(card).toContainText('only embeddings');
  // The next key begins without the limits of this one.
  await expect(page.getByLabel('Tokens per day')).toHaveValue('');
  await expect(page.getByLabel('Label')).toHaveValue('');
  await expect(card).toContainText('Not used yet');
  await expect(card).toContainText('0 of 500 tokens used today (UTC)');
  await expect(card).toContainText('expires');
  const key = await page
    .getByRole('region', { name: 'New key' })
    .locator('.copy-value')
    .textContent();
  const code = await page.evaluate(async (given) => {
    const headers = { authorization: `Bearer ${given}` };
    const response = await fetch('./v1/chat/completions', { method: 'POST', headers, body: '{}' });
    return ((await response.json()) as { error: { code: string } }).error.code;
  }, key);
  expect(code).toBe('endpoint_not_allowed');
});
