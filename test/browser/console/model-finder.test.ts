import type { FoundModel } from '../../../src/core/operations/events/found-model.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { cardOf, holdDownload, scriptedEngine } from '../support/console/console.ts';
import { askedOfHub, drop, HELD_AT, NAME, openModels } from '../support/console/models-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { HUB_CHAT, HUB_CHAT_FACTS } from '../support/scripted/catalog.ts';

const FOUND: FoundModel[] = [
  {
    id: 'someone/Closed-GGUF',
    task: 'chat',
    formats: ['gguf'],
    license: 'llama3.2',
    downloads: 99_999,
    likes: 70,
    gated: true,
  },
  {
    id: 'someone/tiny-GGUF',
    task: 'chat',
    formats: ['gguf'],
    license: 'apache-2.0',
    downloads: 1234,
    likes: 5,
    gated: false,
  },
  {
    id: 'someone/embedder',
    task: 'embedding',
    formats: ['onnx'],
    license: 'mit',
    downloads: 8,
    likes: 1,
    gated: false,
  },
];

test('one field searches this browser while one types, and the hub on Enter; what is found is added', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing, { hub: FOUND });
  const finder = page.getByRole('search');
  const field = finder.getByLabel('Search models');
  await expect(page.getByRole('searchbox')).toHaveCount(1);
  await expect(finder).toContainText('only when you search it');
  await field.fill('TINY-ch');
  await expect(cardOf(page, 'tiny-chat')).toBeVisible();
  await expect(cardOf(page, NAME)).toBeHidden();
  await field.fill('nothing of that name');
  await expect(page.getByText('No model matches.')).toBeVisible();
  expect(await askedOfHub(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(finder).toContainText('has no matching model');
  await field.fill('someone/');
  await finder.getByLabel('Task').selectOption('Chat');
  await finder.getByRole('button', { name: 'Search the hub' }).click();

  const section = page.getByRole('region', { name: 'Found on the model hub' });
  const cards = section.getByRole('listitem');
  await expect(cards.getByRole('heading')).toHaveText(['Closed-GGUF', 'tiny-GGUF']);
  await expect(cards.first()).toContainText('99,999');
  await expect(cards.first()).toContainText('llama3.2');
  await expect(cards.first()).toContainText('accepting its terms');
  await expect(cards.first().getByRole('button', { name: 'Download' })).toBeDisabled();
  await expect(cards.last()).toContainText('GGUF for llama.cpp');
  await expect(cards.last()).toContainText('apache-2.0');
  await expectAccessible(page, 'found models');
  await cards.last().getByRole('button', { name: 'Download' }).click();
  await expect(section).toContainText(/MB will be downloaded/);

  await finder.getByLabel('Task').selectOption('Search my files');
  await finder.getByRole('button', { name: 'Search the hub' }).click();
  await expect(cards.getByRole('heading')).toHaveText(['embedder']);
  // All tasks at once, the most downloaded first.
  await finder.getByLabel('Task').selectOption('All tasks');
  await finder.getByRole('button', { name: 'Search the hub' }).click();
  await expect(cards.getByRole('heading')).toHaveText(['Closed-GGUF', 'tiny-GGUF', 'embedder']);
});

test('a model that is added by its address opens its card and downloads', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  const finder = page.getByRole('search');
  await finder.getByLabel('Search models').fill('https://models.example/mine.gguf');
  await page.keyboard.press('Enter');
  const card = cardOf(page, 'mine');
  await expect(card).toContainText('ready');
});

test('a search that fails says why; if there is no network, it says that', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  await (
    await scriptedEngine(page)
  ).evaluate(() => (scripted.models.searchFails = 'This hub has no search.'));
  const finder = page.getByRole('search');
  await finder.getByRole('button', { name: 'Search the hub' }).click();
  await expect(finder).toContainText('This hub has no search.');
  await context.setOffline(true);
  await finder.getByRole('button', { name: 'Search the hub' }).click();
  await expect(finder).toContainText('You are offline');
});

test('a download whose network is lost says so on its card', async ({ context, closing }) => {
  const page = await openModels(context, closing);
  const letDownload = await holdDownload(page, HUB_CHAT, HELD_AT);
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/11\.2 of 12\.\d MB/);
  await context.setOffline(true);
  await expect(card).toContainText('No data is arriving. Check your network');
  await expect(card.getByRole('status')).not.toContainText('11.2 of');
  await expectAccessible(page, 'a stalled download');
  await context.setOffline(false);
  await letDownload();
  await expect(card).toContainText('ready');
});

test('where the storage is full, the card lists what to delete, the largest first', async ({
  context,
  closing,
}) => {
  const page = await openModels(context, closing);
  await drop(page, 'dropped.gguf');
  await expect(cardOf(page, 'dropped')).toContainText('not loaded');
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(HUB_CHAT_FACTS.license);
  await (
    await scriptedEngine(page)
  ).evaluate((id) => scripted.models.failDownload(id, 'No space left.', 'storage_full'), HUB_CHAT);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText('No space left.');
  const room = card.getByRole('region', { name: /no room left for this model/ });
  await expect(room.getByRole('listitem')).toHaveText([/tiny-chat.*frees/, /dropped.*frees/]);
  await expectAccessible(page, 'full storage');

  // One more click, because a download cannot be undone.
  await room.getByRole('button', { name: 'Delete: dropped' }).click();
  await expect(room.getByRole('listitem')).toHaveCount(2);
  await room.getByRole('button', { name: 'Delete for good: dropped' }).click();
  await expect(room.getByRole('listitem')).toHaveText([/tiny-chat/]);
  await expect(cardOf(page, 'dropped')).toBeHidden();
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card).toContainText('ready');
});
