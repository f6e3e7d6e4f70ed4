import type { BrowserContext } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import {
  ask,
  cardOf,
  holdDownload,
  lastAnswer,
  openConsole,
  scriptedEngine,
  type Closing,
  type Scripted,
} from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { catalogOf } from '../support/scripted/catalog.ts';

/** A repository of the curated list, and the file that it names. */
const BETTER = 'Qwen/Qwen2.5-0.5B-Instruct-GGUF:qwen2.5-0.5b-instruct-q4_k_m.gguf';

/** A site that comes with a starter of 98 MB. */
function withStarter(speed: number): Scripted {
  const [entry, ...others] = catalogOf(['tiny-chat']);
  if (!entry) throw new Error('The site has no pack.');
  const variants = entry.variants.map((variant) => ({ ...variant, bytes: 98_000_000 }));
  const id = 'HuggingFaceTB/SmolLM2-135M-Instruct';
  return { speed, catalog: [{ ...entry, id, variants }, ...others] };
}

async function openStarter(context: BrowserContext, closing: Closing, speed: number) {
  const page = await openConsole(context, closing, withStarter(speed));
  await expect(page.getByRole('button', { name: 'Model: Starter, 135M, ready' })).toBeVisible();
  return page;
}

test('the starter says what it is, and a better model for the device downloads behind the chat and takes over', async ({
  context,
  closing,
}) => {
  const page = await openStarter(context, closing, 60);
  await expect(page.getByText('Starter, 135M answers right away.')).toBeVisible();
  const offer = page.getByRole('region', { name: 'Better on this device' });
  await expect(offer).toContainText('Qwen2.5 0.5B for quick answers');
  await expect(offer).toContainText(/491 MB · .*about 12\.0 tokens\/s/);
  await expectAccessible(page, 'offer of a better model');

  const letDownload = await holdDownload(page, BETTER, 1_000_000);
  await offer.getByRole('button', { name: 'Download: Qwen2.5 0.5B' }).click();
  const status = page.getByRole('region', { name: 'Model status' });
  await expect(status).toContainText('Downloading');
  await expect(offer).toBeHidden();
  // The starter answers meanwhile.
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  await expect(page.getByRole('button', { name: /^Model: Starter/ })).toBeVisible();

  await letDownload();
  await expect(page.getByRole('button', { name: /^Model: Qwen2\.5.*, ready/ })).toBeVisible();
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  const engine = await scriptedEngine(page);
  const samplings = await engine.evaluate(() =>
    scripted.api.runs.map(({ job }) => [job.model, job.sampling?.temperature]),
  );
  // The model is sampled as its makers recommend.
  expect(samplings.at(-1)).toEqual([BETTER, 0.7]);
});

test('a device that is too slow for any better model is offered none', async ({
  context,
  closing,
}) => {
  const page = await openStarter(context, closing, 5);
  const engine = await scriptedEngine(page);
  await expect.poll(() => engine.evaluate(() => scripted.models.quickMeasurements)).toBe(1);
  await expect(page.getByRole('region', { name: 'Better on this device' })).toBeHidden();
});

test('a visitor sees that nothing is sent, and that the chat answers without a network', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await expect(page.getByText('Turn off your network, then ask.')).toBeVisible();
  await expect(page.getByText('Sent to servers: 0 B')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Model: tiny-chat, ready/ })).toBeVisible();
  await context.setOffline(true);
  await expect(
    page.getByText('Your network is off. Ask anyway: this device answers.'),
  ).toBeVisible();
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(page.getByText('Sent to servers: 0 B')).toBeVisible();
});

test('the page of models begins with the best ones for the device, each with size, speed and what it is for', async ({
  context,
  closing,
}) => {
  const page = await openStarter(context, closing, 250);
  await page.getByRole('link', { name: 'Models' }).click();
  const best = page.getByRole('region', { name: 'Best for this device' });
  const cards = best.getByRole('listitem');
  await expect(cards.getByRole('heading')).toHaveText([
    'SmolLM3 3B',
    'Qwen2.5 1.5B',
    'Qwen2.5 0.5B',
  ]);
  await expect(cards.nth(1)).toContainText('for everyday questions and writing');
  await expect(cards.nth(1)).toContainText(/1\.12 GB · .*about 21\.9 tokens\/s/);
  await expectAccessible(page, 'best models');
  await cards.last().getByRole('button', { name: 'Download: Qwen2.5 0.5B' }).click();
  await cards.last().getByRole('button', { name: 'Chat: Qwen2.5 0.5B' }).click();
  await expect(page.getByRole('button', { name: /^Model: Qwen2\.5.*, ready/ })).toBeVisible();
});

test('a model that is added by its name shows its card and downloads at once', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  await holdDownload(page, 'someone/tiny-GGUF', 1_100_000);
  await page.getByLabel('Search models').fill('someone/tiny-GGUF');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = cardOf(page, 'tiny-GGUF');
  await expect(card).toContainText(/1\.1 of 3\.3 MB/);
  await expect(card).toBeInViewport();
  await expect(card.getByText('Memory when loaded')).toBeVisible();
});

test('what is asked before the models are known is answered once they are', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { isListHeld: true });
  const listModels = async () => {
    const engine = await scriptedEngine(page);
    await engine.evaluate(() => scripted.models.listing.open());
  };
  await page.getByRole('button', { name: CAPITAL }).click();
  await listModels();
  const answer = await lastAnswer(page);
  await expect(answer).toContainText(PARIS);

  await page.reload();
  await answer.getByRole('button', { name: 'Answer again' }).click();
  await listModels();
  await expect(answer).toContainText('2 of 2');
  await expect(await lastAnswer(page)).toContainText(PARIS);
});
