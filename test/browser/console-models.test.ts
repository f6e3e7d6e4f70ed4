import { modelLibURLPrefix } from '@mlc-ai/web-llm';
import type { BrowserContext, Locator, Page } from 'playwright/test';
import { openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { hold, HUB_LICENSE, HUB_MODEL, MORE, moreOf, serveTestHub } from './support/hub.ts';
import { redirect } from './support/redirect.ts';

const NAME = HUB_MODEL.replace('mlc-ai/', '');

test.describe.configure({ timeout: 300_000 });

function cardOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
}

/** A hub whose model is 10 MB larger than it has to be. */
async function openHub(context: BrowserContext, closing: Parameters<typeof openConsole>[1]) {
  const hub = closing(await serveTestHub({ moreBytes: 10_000_000 }));
  await redirect(context, {
    'https://huggingface.co/': hub.options.hub,
    [modelLibURLPrefix]: hub.options.libraries,
  });
  return hub;
}

async function openModels(context: BrowserContext, closing: Parameters<typeof openConsole>[1]) {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
  return page;
}

test('the question before a download tells what the hub knows, and nobody asks the hub before', async ({
  fresh,
  closing,
}) => {
  const hub = await openHub(fresh, closing);
  const page = await openModels(fresh, closing);
  const card = cardOf(page, NAME);
  await card.getByText('Details').click();
  await expect(card).toContainText('Licence');
  expect(hub.requests).toEqual([]);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/12\.\d MB are downloaded/);
  await expect(card).toContainText(HUB_LICENSE);
  await expect(card).toContainText('of GPU memory; all models may take');
  await expect(card).toContainText('tokens');
  await expect(card).toContainText('Used here');
  await card.getByRole('button', { name: 'Cancel' }).click();
});

test('a download that did not finish says why, and continues with one click', async ({
  fresh,
  closing,
}) => {
  const hub = await openHub(fresh, closing);
  const file = moreOf(hub);
  const page = await openModels(fresh, closing);
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(HUB_LICENSE);
  hub.files.delete(MORE);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/404/, { timeout: 60_000 });

  hub.files.set(MORE, file);
  const release = hold(hub, 9_000_000);
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card).toContainText(/11\.\d of 12\.\d MB/, { timeout: 60_000 });
  await card.getByRole('button', { name: 'Pause' }).click();
  await expect(card).toContainText('The download was paused');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.reload();
  await expect(card).toContainText('The download ended with its tab');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await expect(card.getByRole('button', { name: 'Download', exact: true })).toBeVisible();
  release();
});

test('a running download is cancelled in one tab, what has arrived is removed, and the other tab shows it', async ({
  fresh,
  closing,
}) => {
  const hub = await openHub(fresh, closing);
  const release = hold(hub, 9_000_000);
  const page = await openModels(fresh, closing);
  const card = cardOf(page, NAME);
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/11\.\d of 12\.\d MB/, { timeout: 60_000 });
  const other = await fresh.newPage();
  await other.goto(page.url());
  const seen = cardOf(other, NAME);
  await expect(seen.getByRole('button', { name: 'Pause' })).toBeVisible();

  await seen.getByRole('button', { name: 'Delete' }).click();
  await expect(seen).toContainText(
    /Its download ends in all tabs, and what has arrived is deleted: \d/,
  );
  await seen.getByRole('button', { name: 'Delete' }).click();
  for (const each of [seen, card]) {
    await expect(each.getByRole('button', { name: 'Download', exact: true })).toBeVisible();
    await expect(each.getByRole('button', { name: 'Delete' })).toBeHidden();
    await expect(each).not.toContainText(/\d of \d/);
    await expect(each).not.toContainText('What has arrived');
  }
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Model status' })).toBeHidden();

  // Nothing is left that a new download could continue.
  release();
  const { requests } = hub.traffic;
  const before = requests.length;
  await seen.getByRole('button', { name: 'Download', exact: true }).click();
  await seen.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(seen).toContainText(/ready|not loaded/, { timeout: 120_000 });
  expect(requests.length).toBeGreaterThan(before);
  expect(requests.flatMap(({ range }) => range ?? [])).toEqual([]);
});

test('a model is measured, its figures stay after a reload, and measuring can be stopped', async ({
  fresh,
  closing,
}) => {
  const page = await openModels(fresh, closing);
  const card = cardOf(page, 'tiny-chat');
  await expect(card).toContainText('ready', { timeout: 60_000 });
  await card.getByRole('button', { name: 'Measure' }).click();
  await card.getByRole('button', { name: 'Stop measuring' }).click();
  await expect(card.getByRole('button', { name: 'Measure' })).toBeVisible();
  await expect(card).not.toContainText('Measured on');

  await card.getByRole('button', { name: 'Measure' }).click();
  const figures = /Reads [\d.]+ tokens a second · Writes [\d.]+ tokens a second · Measured on/;
  await expect(card).toContainText(figures, { timeout: 120_000 });
  await page.reload();
  await expect(card).toContainText(figures);
});
