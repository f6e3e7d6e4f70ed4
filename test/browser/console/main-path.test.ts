import { modelLibURLPrefix } from '@mlc-ai/web-llm';
import type { Page } from 'playwright/test';
import { SITE } from '../../../scripts/build/build-site.ts';
import { QUICK_SITE, serveFolder } from '../support/sites/built-sites.ts';
import { ask, lastAnswer, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { hold, HUB_MODEL, serveTestHub } from '../support/hub/hub.ts';
import { CAPITAL } from '../support/prompts.ts';
import { redirect } from '../support/browser/redirect.ts';
import { llamaOf } from '../support/browser/tabs.ts';

// The main path of the console, on the real engine. The other tests of the console have a scripted one.

const NAME = HUB_MODEL.replace('mlc-ai/', '');

/** Bytes of the second shard that are sent before the test pauses the download. */
const HELD_AT = 9_000_000;
const REST = `bytes=${HELD_AT}-`;

test.describe.configure({ timeout: 400_000 });

/**
 * Holds the only model in memory after some more turns of its event loop: it takes one between two tokens.
 *
 * @returns a function that lets the answer continue
 */
async function holdAnswer(page: Page, turns: number): Promise<() => Promise<void>> {
  const worker = llamaOf(page);
  await worker.evaluate((left) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    // For a turn of the event loop, the worker sends `null` to itself.
    MessagePort.prototype.postMessage = function (message: unknown, options?: object) {
      const pass = () => postMessage.call(this, message, options);
      if (message === null && left-- <= 0) held.push(pass);
      else pass();
    };
    self.addEventListener('go on', () => {
      MessagePort.prototype.postMessage = postMessage;
      for (const pass of held) pass();
    });
  }, turns);
  return () => worker.evaluate(() => void self.dispatchEvent(new Event('go on')));
}

async function chooseModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Model:' }).click();
  const dialog = page.getByRole('dialog', { name: 'Models' });
  await dialog.getByLabel('Search models').fill(NAME);
  await dialog.getByRole('button', { name: NAME }).first().click();
}

test('the chat answers, and still does without a network', async ({ fresh, closing }) => {
  const server = closing(await serveFolder(SITE));
  const page = await fresh.newPage();
  await page.goto(server.origin);
  await expect(await ask(page, CAPITAL)).toContainText('Paris');

  await server.close();
  await page.reload();
  await expect(await ask(page, CAPITAL)).toContainText('Paris');
});

test('the starter answers each suggestion with what is right, and does not repeat itself', async ({
  fresh,
  closing,
}) => {
  const server = closing(await serveFolder(SITE));
  const page = await fresh.newPage();
  await page.goto(server.origin);
  for (const [suggestion, right] of [
    ['What is the capital of France?', /capital of France is Paris/],
    ['Why is the sky blue?', /scatter/],
    ['Write a short poem about the sea.', /sea/],
  ] as const) {
    await page.getByRole('button', { name: suggestion }).click();
    const answer = await lastAnswer(page);
    await expect(answer).toContainText(right);
    await expect(answer).not.toContainText('was repeating itself');
    await page.getByRole('button', { name: 'New chat' }).first().click();
  }
});

test('an answer stops with Esc; a download is paused and resumed, survives a reload, and its model answers', async ({
  fresh,
  closing,
}) => {
  const server = closing(await serveFolder(QUICK_SITE));
  const hub = closing(await serveTestHub({ moreBytes: 10_000_000 }));
  await redirect(fresh, {
    'https://huggingface.co/': hub.options.hub,
    [modelLibURLPrefix]: hub.options.libraries,
  });
  const release = hold(hub, HELD_AT);
  const page = await fresh.newPage();
  await page.goto(server.origin);
  await ask(page, 'Hello');
  const goOn = await holdAnswer(page, 12);
  await send(page, 'Count to 100.');
  await expect(page.getByRole('article', { name: 'Answer' }).last()).toContainText('1 2');
  await page.keyboard.press('Escape');
  await goOn();
  await expect(await lastAnswer(page)).toContainText('Stopped');

  await chooseModel(page);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const status = page.getByRole('region', { name: 'Model status' });
  await expect(status).toContainText(`${NAME} Downloading`);
  await expect(status).toContainText(/11\.\d of 12\.\d MB/, { timeout: 60_000 });
  await status.getByRole('button', { name: 'Pause' }).click();
  await expect(status).toContainText('Download paused');
  await status.getByRole('button', { name: 'Resume' }).click();
  await expect(status).toContainText('Downloading');
  const rests = () => hub.traffic.requests.flatMap(({ range }) => range ?? []);
  await expect.poll(rests).toContain(REST);
  await status.getByRole('button', { name: 'Pause' }).click();
  await expect(status).toContainText('Download paused');

  await page.reload();
  release();
  await chooseModel(page);
  const ready = page.getByRole('button', { name: `Model: ${NAME}, ready` });
  await expect(ready).toBeVisible({ timeout: 120_000 });
  await expect(await ask(page, CAPITAL)).toContainText('Paris');
  // No byte was requested twice.
  expect(new Set(rests())).toEqual(new Set([REST]));
});
