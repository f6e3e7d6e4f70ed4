import { readFileSync } from 'node:fs';
import type { StartOptions } from '../../../src/index.ts';
import { openUpstream } from '../../support/servers/upstream-server.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, openConsole } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';

const BIG = 'meta-llama/Llama-3.3-70B-Instruct';

test('an answer that left the device is marked, also when it is kept and exported; the welcome says where chats may go', async ({
  context,
  closing,
}) => {
  const cluster = closing(await openUpstream([BIG]));
  cluster.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { choices: [{ index: 0, delta: { content: 'From afar.' } }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  await context.addInitScript((baseURL) => {
    const upstreams = [{ name: 'cluster', baseURL, models: '*' as const }];
    Object.assign(globalThis, { slashv1Options: { upstreams } satisfies StartOptions });
  }, cluster.baseURL);
  const page = await openConsole(context, closing);
  await expect(page.getByText(/a model of another server \(cluster\)/)).toBeVisible();
  await expect(page.getByText('What you type stays on this device.')).toBeHidden();

  const first = await ask(page, 'Hello');
  await expect(first).toContainText(GREETING);
  await expect(first).not.toContainText('not on this device');
  const sent = () => cluster.requests.filter(({ method }) => method === 'POST');
  expect(sent()).toEqual([]);

  await page.getByRole('button', { name: /^Model: tiny-chat/ }).click();
  const picker = page.getByRole('dialog', { name: 'Models' });
  await expect(picker.getByRole('heading', { name: 'Not on this device: cluster' })).toBeVisible();
  await picker.getByRole('button', { name: 'Llama-3.3-70B-Instruct' }).click();
  await expect(page.getByRole('button', { name: /^Model: Llama.*, at cluster$/ })).toBeVisible();
  await expect(page.getByText('Your questions leave this device: cluster')).toBeVisible();
  const mark = 'Answered by cluster, not on this device';
  const answer = await ask(page, 'a turquoise yak');
  await expect(answer).toContainText('From afar.');
  await expect(answer).toContainText(mark);
  expect(sent()).toHaveLength(1);
  const { model, messages, ...others } = JSON.parse(String(sent()[0]?.body)) as {
    model: string;
    messages: unknown[];
  };
  expect(model).toBe(BIG);
  expect(messages).toHaveLength(3);
  // Servers refuse fields that they do not know.
  expect(Object.keys(others).toSorted()).toEqual(['stream', 'stream_options']);
  await expectAccessible(page, 'answer from elsewhere');

  await page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(page.getByText(/^Sent to servers: \d{3} B$/)).toBeVisible();
  await page.goBack();

  // A file is not sent for counting before the question is sent.
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const buffer = Buffer.from('The sea is blue.');
  await (await choosing).setFiles([{ name: 'sea.md', mimeType: 'text/markdown', buffer }]);
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
  await page.getByRole('button', { name: /Remove sea\.md/ }).click();
  expect(sent()).toHaveLength(1);

  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save Hello as Markdown' }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toContain('**Answer**');
  expect(file).toContain('**Answer by cluster, not on this device**');
  await page.reload();
  await expect(page.getByRole('article', { name: 'Answer' }).last()).toContainText(mark);
  // A new visit begins on the device.
  await expect(page.getByRole('button', { name: /^Model: tiny-chat/ })).toBeVisible();
});
