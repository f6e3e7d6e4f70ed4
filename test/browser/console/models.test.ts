import type { BrowserContext } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import {
  ask,
  cardOf,
  holdDownload,
  losing,
  openConsole,
  scriptedEngine,
} from '../support/console/console.ts';
import { askedOfHub, drop, HELD_AT, NAME, openModels } from '../support/console/models-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { catalogOf, HUB_CHAT, HUB_CHAT_FACTS } from '../support/scripted/catalog.ts';

/** The page of models and the card of the model that comes with it, which is ready. */
async function openReady(...parameters: Parameters<typeof openModels>) {
  const page = await openModels(...parameters);
  const card = cardOf(page, 'tiny-chat');
  await expect(card).toContainText('ready');
  return { page, card };
}

test('models are loaded, unloaded and deleted, and a dropped GGUF file is added', async ({
  context,
  closing,
}) => {
  const { page, card } = await openReady(context, closing);
  await card.getByRole('button', { name: 'Unload' }).click();
  await expect(card).toContainText('not loaded');
  await card.getByRole('button', { name: 'Load' }).click();
  await expect(card).toContainText('ready');
  await card.getByText('Details').click();
  await expect(card).toContainText('Used here');
  await card.getByRole('button', { name: 'Delete' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('region', { name: 'Comes with this page' })).toContainText(
    'tiny-chat',
  );

  // Playwright sees only the older way to choose.
  await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }));
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from('{}');
  await (await choosing).setFiles({ name: 'package.json', mimeType: 'application/json', buffer });
  await expect(page.getByText('is not a .gguf file')).toBeVisible();
  await drop(page, 'dropped.gguf');
  await cardOf(page, 'dropped').getByRole('button', { name: 'Chat' }).click();
  await expect(page.getByRole('button', { name: /^Model: dropped, ready/ })).toBeVisible();
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  await page.getByRole('link', { name: 'Models' }).click();

  await page.getByLabel('Task', { exact: true }).selectOption('Read aloud');
  await expect(page.getByRole('heading', { name: 'tiny-chat' })).toBeHidden();
});

test('the question before a download tells what the hub knows, and nobody asks the hub before', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  const card = cardOf(page, NAME);
  await card.getByText('Details').click();
  await expect(card).toContainText('Licence');
  expect(await askedOfHub(page)).toEqual([]);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/12\.\d MB will be downloaded/);
  await expect(card).toContainText(HUB_CHAT_FACTS.license);
  await expect(card).toContainText(/of GPU memory, of .* for all models/);
  await expect(card).toContainText('tokens');
  await expect(card).toContainText('Used here');
  await card.getByRole('button', { name: 'Cancel' }).click();
  expect(await askedOfHub(page)).toEqual([`inspect ${HUB_CHAT}`]);
});

test('a download that did not finish says why, and continues with one click', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(HUB_CHAT_FACTS.license);
  await (
    await scriptedEngine(page)
  ).evaluate((id) => scripted.models.failDownload(id, 'The hub answers 404.'), HUB_CHAT);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText('The hub answers 404.');

  await holdDownload(page, HUB_CHAT, HELD_AT);
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card).toContainText(/11\.2 of 12\.\d MB/);
  await card.getByRole('button', { name: 'Pause' }).click();
  await expect(card).toContainText('The download is paused');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.reload();
  await expect(card).toContainText('The download ended when its tab was closed');
  await holdDownload(page, HUB_CHAT, HELD_AT);
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await expect(card.getByRole('button', { name: 'Download', exact: true })).toBeVisible();
});

test('a running download is cancelled in one tab, and the other tab shows it', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  const letDownload = await holdDownload(page, HUB_CHAT, HELD_AT);
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/11\.2 of 12\.\d MB/);
  const other = await context.newPage();
  await other.goto(page.url());
  const seen = cardOf(other, NAME);
  await expect(seen.getByRole('button', { name: 'Pause' })).toBeVisible();

  await seen.getByRole('button', { name: 'Delete' }).click();
  await expect(seen).toContainText(
    /This ends its download in all tabs and deletes what has been downloaded: 11\.2/,
  );
  await seen.getByRole('button', { name: 'Delete' }).click();
  for (const each of [seen, card]) {
    await expect(each.getByRole('button', { name: 'Download', exact: true })).toBeVisible();
    await expect(each.getByRole('button', { name: 'Delete' })).toBeHidden();
    await expect(each).not.toContainText(/\d of \d/);
    await expect(each).not.toContainText('What has been downloaded');
  }
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Model status' })).toBeHidden();

  await letDownload();
  await seen.getByRole('button', { name: 'Download', exact: true }).click();
  await seen.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(seen).toContainText('ready');
});

test('a model is measured, its figures stay after a reload, and measuring can be stopped', async ({
  context,
  closing,
}) => {
  const { page, card } = await openReady(context, closing);
  const engine = await scriptedEngine(page);
  await engine.evaluate(() => scripted.models.measuring.shut());
  await card.getByRole('button', { name: 'Measure' }).click();
  await card.getByRole('button', { name: 'Stop measuring' }).click();
  await expect(card.getByRole('button', { name: 'Measure' })).toBeVisible();
  await engine.evaluate(() => scripted.models.measuring.open());
  await expect(card).not.toContainText('Measured on');

  await card.getByRole('button', { name: 'Measure' }).click();
  const figures = /Reads [\d.]+ tokens a second · Writes [\d.]+ tokens a second · Measured on/;
  await expect(card).toContainText(figures);
  await page.reload();
  await expect(card).toContainText(figures);
});

test('a card says what computes its model, why that is the CPU, and how fast it is', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing, { gpu: 'hardware', hasF16: true });
  await drop(page, 'dropped.gguf');
  const card = cardOf(page, 'dropped');
  await expect(card).toContainText('2,048 tokens · GPU');
  await card.getByRole('button', { name: 'Measure' }).click();
  await expect(card).toContainText('Writes 31.4 tokens a second');
  await page.getByRole('link', { name: 'Device' }).click();
  const device = page.getByRole('main');
  await expect(device).toContainText('on the graphics processor if it can.');

  const other = await openModels(context, closing, { gpu: 'hardware' });
  await drop(other, 'dropped.gguf');
  const onCpu = cardOf(other, 'dropped');
  await expect(onCpu).toContainText('2,048 tokens · CPU');
  await onCpu.getByText('Details').click();
  await expect(onCpu).toContainText('CPU · This GPU cannot compute in 16 bits (shader-f16).');
  await expect(onCpu).toContainText('KV cachef16');
});

test('where data is dear, the user is asked before a model is downloaded', async ({
  context,
  closing,
}) => {
  await payPerByte(context);
  const page = await openConsole(context, closing);
  const status = page.getByRole('region', { name: 'Model status' });
  await expect(status).toContainText('tiny-chat has not been downloaded (');
  await page.getByLabel('Your message').fill('Hello');
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeDisabled();
  await expectAccessible(page, 'data saver');

  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await cardOf(page, 'tiny-chat').getByRole('button', { name: 'Load' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('you are on a mobile network');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await status.getByRole('button', { name: 'Download' }).click();
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  await expect(status).toBeHidden();
});

test('a card chooses the length of the context and the type of the KV cache', async ({
  context,
  closing,
}) => {
  const { page, card } = await openReady(context, closing);
  await card.getByText('Details').click();
  const memory = card.getByRole('group', { name: 'Context and memory' });
  await memory.getByLabel('Context, tokens').fill('1024');
  await card.getByLabel('KV cache').selectOption('q8_0');
  await card.getByRole('button', { name: 'Load with these' }).click();
  await expect(memory.getByRole('status')).toHaveText('Loaded: 1,024 tokens, KV cache in q8_0.');
  await page.reload();
  await expect(card).toContainText('1,024 tokens');

  // This file's header does not say that it can have such a cache.
  await drop(page, 'dropped.gguf');
  const other = cardOf(page, 'dropped');
  // The card of a model that was just added is open.
  await other.getByLabel('KV cache').selectOption('q8_0');
  await other.getByRole('button', { name: 'Load with these' }).click();
  await expect(other.getByRole('group', { name: 'Context and memory' })).toContainText(
    'cannot have a KV cache in q8_0',
  );
});

/** Lets the browser say that it is on a mobile network. */
async function payPerByte(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // The object itself has no properties, as in browsers.
    const connection = new (class {
      get type() {
        return 'cellular';
      }
    })();
    Object.defineProperty(navigator, 'connection', { value: connection });
  });
}

test('if the code of the question before a download cannot be fetched, that is said, and tried again', async ({
  context,
  closing,
}) => {
  await payPerByte(context);
  const { lost, find } = losing(/download-question|free-room/);
  const page = await openConsole(context, closing, { lost });
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await cardOf(page, 'tiny-chat').getByRole('button', { name: 'Load' }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByRole('alert')).toContainText('could not be fetched');
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(question).toBeHidden();
  await cardOf(page, 'tiny-chat').getByRole('button', { name: 'Load' }).click();
  await expect(question.getByRole('alert')).toContainText('could not be fetched');
  find();
  await question.getByRole('button', { name: 'Try again' }).click();
  await question.getByRole('button', { name: 'Download' }).click();
  await expect(cardOf(page, 'tiny-chat')).toContainText('ready');
});

test('a device that runs everything sees a bounded page, and reaches every model', async ({
  context,
  closing,
}) => {
  const many = Array.from({ length: 75 }, (_, at) =>
    catalogOf([]).map((entry) => ({ ...entry, id: `${entry.id}-${at}` })),
  ).flat();
  const catalog = [...catalogOf(['tiny-chat']), ...many];
  const page = await openModels(context, closing, { catalog, gpu: 'hardware', hasF16: true });
  const available = page.getByRole('region', { name: 'From the model hub' });
  const cards = available.getByRole('heading', { level: 3 });
  await expect(cards).toHaveCount(12);
  const more = available.getByRole('button', { name: /^Show more/ });
  await expect(more).toHaveText('Show more (140 left)');
  await more.click();
  await expect(cards).toHaveCount(24);
  // The first of the new models has the focus.
  await expect(cards.nth(12).locator('xpath=ancestor::li').locator('summary')).toBeFocused();
  while (await more.isVisible()) await more.click();
  await expect(cards).toHaveCount(152);

  await page.reload();
  await page.getByRole('searchbox', { name: 'Search models' }).fill('q0f32-mlc-74');
  await expect(cards).toHaveCount(1);
});
