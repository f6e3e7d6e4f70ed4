import { openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { phrases, recording } from './support/hearing.ts';

test.describe.configure({ timeout: 300_000 });

const [phrase] = phrases;
if (!phrase) throw new Error('There are no phrases.');

test('a recording is sent with the fields of the body, and a refused field is named', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing, ['tiny-chat', 'tiny-hear']);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Endpoint').selectOption('POST /v1/audio/transcriptions');
  const send = page.getByRole('button', { name: 'Send' });
  await expect(page.getByText('The request needs a recording.')).toBeVisible();
  await expect(send).toBeDisabled();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = recording(3, [{ at: 0.5, phrase }]);
  await (await choosing).setFiles({ name: 'said.wav', mimeType: 'audio/wav', buffer });
  await expect(page.getByText(/^said\.wav, /)).toBeVisible();

  const body = page.getByLabel('Body');
  const first = await body.inputValue();
  expect(first).toContain('slashv1/tiny-hear');
  await body.fill(first.replace('{', '{ "timestamp_granularities": ["word", "minute"],'));
  await send.click();
  await expect(page.getByText(/^timestamp_granularities: .* word or segment/)).toBeVisible();
  await expect(body).toHaveAttribute('aria-invalid', 'true');

  await body.fill(first.replace('{', '{ "timestamp_granularities": ["segment"],'));
  await send.click();
  const response = page.getByRole('region', { name: 'Response' });
  await expect(response).toContainText(`"text": "${phrase.text}"`, { timeout: 120_000 });
});
