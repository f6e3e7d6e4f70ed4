import { losing, openConsole, openRequests } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

test('the playground streams a chat, shows JSON, and says why a body is none', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  await expect(page.getByLabel('Body')).toHaveValue(/slashv1\/tiny-chat/);
  await page.getByRole('button', { name: 'Send' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await expect(response).toContainText('200 text/event-stream', { timeout: 60_000 });
  await expect(response).toHaveAttribute('aria-busy', 'false');
  await expect(response.getByRole('list', { name: 'Events' })).toContainText('data: [DONE]');

  await page.getByLabel('Body').fill('{');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await page.getByLabel('Endpoint').selectOption('POST /v1/tokenize');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response).toContainText('"tokens"');
  await page.getByLabel('Endpoint').selectOption('POST /v1/audio/speech');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response.locator('audio')).toBeVisible({ timeout: 120_000 });
});

test('a recording is sent with the fields of the body, and a refused field is named', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, {
    packs: ['tiny-chat', 'tiny-hear'],
    heard: 'Two ships.',
  });
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Endpoint').selectOption('POST /v1/audio/transcriptions');
  const send = page.getByRole('button', { name: 'Send' });
  await expect(page.getByText('The request needs a recording.')).toBeVisible();
  await expect(send).toBeDisabled();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from('any');
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
  await expect(response).toContainText('"text": "Two ships."', { timeout: 120_000 });
});

test('a file of any kind is sent, and the answer is its record', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Endpoint').selectOption('POST /v1/files');
  await expect(page.getByText('The request needs a file.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Record' })).toBeHidden();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const chooser = await choosing;
  expect(await chooser.element().getAttribute('accept')).toBeNull();
  const buffer = Buffer.from('Rome is old.');
  await chooser.setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer });
  await expect(page.getByText(/^notes\.txt, /)).toBeVisible();
  await page.getByRole('button', { name: 'Send' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await expect(response).toContainText('"filename": "notes.txt"');
});

test('models, kept answers and tokens: paths and queries have fields, and what is deleted is said', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await openRequests(page);
  await page.getByRole('link', { name: 'Playground' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  const send = page.getByRole('button', { name: 'Send' });
  const endpoint = page.getByLabel('Endpoint');
  const model = page.getByRole('combobox', { name: /^model/ });
  const kept = page.getByRole('textbox', { name: 'response', exact: true });

  await endpoint.selectOption('POST /v1/models/{model}/load');
  await expect(model).toHaveValue('slashv1/tiny-chat');
  await send.click();
  await expect(response).toContainText('"stage":"ready"', { timeout: 120_000 });
  await endpoint.selectOption('POST /v1/detokenize');
  await send.click();
  await expect(response).toContainText('"content"');
  await endpoint.selectOption('POST /v1/messages/count_tokens');
  await send.click();
  await expect(response).toContainText('"input_tokens"');

  await endpoint.selectOption('GET /v1/audio/speech');
  await send.click();
  await expect(response.locator('audio')).toBeVisible({ timeout: 120_000 });
  await endpoint.selectOption('GET /v1/audio/voices');
  await model.fill('slashv1/nobody');
  await send.click();
  await expect(response).toContainText('"data": []');

  await endpoint.selectOption('POST /v1/responses');
  await page
    .getByLabel('Body')
    .fill('{"model":"slashv1/tiny-chat","input":"Hi","max_output_tokens":2}');
  await send.click();
  await expect(response).toContainText('"id": "resp_', { timeout: 60_000 });
  const [id = ''] = /resp_[^"]+/.exec((await response.textContent()) ?? '') ?? [];
  await endpoint.selectOption('DELETE /v1/responses/{response}');
  await expect(page.getByText('Deletes the kept response.')).toBeVisible();
  await expect(send).toBeDisabled();
  await kept.fill(id);
  await send.click();
  await expect(response).toContainText('"deleted": true');
  await endpoint.selectOption('GET /v1/responses/{response}');
  await kept.fill(id);
  await send.click();
  await expect(response).toContainText('404');

  await endpoint.selectOption('POST /v1/models/{model}/unload');
  await expect(model).toHaveValue('');
  await model.fill('slashv1/tiny-chat');
  await page.getByRole('link', { name: 'Requests' }).click();
  const load = page.getByRole('row', { name: /models.*load/ });
  await load.getByRole('button').click();
  await page.getByRole('button', { name: 'Open in the playground' }).click();
  await expect(endpoint).toHaveValue('POST /models/{model}/load');
  await expect(model).toHaveValue('slashv1/tiny-chat');
});

test('what the API would refuse or ignore is said while one types, with its place', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  const body = page.getByLabel('Body');
  const said = page.getByRole('status').filter({ hasText: /./ });
  await expect(said).toHaveText('The API would accept the body.');
  const button = page.getByRole('button', { name: 'Send' });
  const place = async () => (await button.boundingBox())?.y;
  const before = await place();

  const first = await body.inputValue();
  await body.fill(
    first.replace('"stream": true', '"stream": "yes",\n  "temprature": 1,\n  "n": 9'),
  );
  await expect(said).toContainText("Line 9, column 3: 'stream' must be a boolean.");
  await expect(said).toContainText("Line 11, column 3: 'n' must be between 1 and 8.");
  await expect(said).toContainText("Line 10, column 3: 'temprature' has no effect");
  await expect(body).toHaveAttribute('aria-invalid', 'true');
  // The API's answer to it can be seen nevertheless.
  await expect(button).toBeEnabled();
  expect(await place()).toBe(before);

  await body.fill('{\n  "model": "x"\n  "messages": []\n}');
  await expect(said).toHaveText('Line 3, column 3: A comma is missing.');
  await expect(button).toBeDisabled();
  await body.fill('{ "model": "slashv1/tiny-chat" }');
  await expect(said).toHaveText("Line 1, column 1: 'messages' is required.");
  expect(await place()).toBe(before);
});

test('the playground shows code that sends its request', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByText('Use it from code').click();
  const panel = page.getByRole('tabpanel', { name: 'curl' });
  await expect(panel).toContainText('/v1/chat/completions');
  await page.getByLabel('Endpoint').selectOption('POST /v1/audio/transcriptions');
  await expect(panel).toContainText('file=@"recording.wav"');
});

test('if the code that checks a body cannot be fetched, that is said, and tried again', async ({
  context,
  closing,
}) => {
  const { lost, find } = losing(/check-body/);
  const page = await openConsole(context, closing, { lost });
  await page.getByRole('link', { name: 'Playground' }).click();
  const notFetched = page.getByRole('alert').filter({ hasText: 'could not be fetched' });
  await expect(notFetched).toBeVisible();
  await page.getByLabel('Body').fill('{');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await expect(notFetched).toBeVisible();

  find();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Line 1, column 2: /)).toBeVisible();
  await expect(notFetched).toBeHidden();
});
