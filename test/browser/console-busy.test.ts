import { modelLibURLPrefix } from '@mlc-ai/web-llm';
import type { Locator, Page } from 'playwright/test';
import { violationsOf } from './support/axe.ts';
import { beginLongAnswers, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { hold, HUB_MODEL, serveTestHub } from './support/hub.ts';
import { redirect } from './support/redirect.ts';
import { slowDownNow } from './support/slow-llama.ts';

test.describe.configure({ timeout: 300_000 });

/** Runs axe in both themes, while this is shown. */
async function expectNoViolations(page: Page, shown: Locator): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsOf(page), colorScheme).toEqual([]);
    await expect(shown).toBeVisible();
  }
}

test('axe finds nothing while the playground receives a stream', async ({ fresh, closing }) => {
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  const body = {
    model: 'slashv1/tiny-chat',
    stream: true,
    ignore_eos: true,
    max_tokens: 1900,
    n: 8,
    messages: [{ role: 'user', content: 'Count to 100.' }],
  };
  await expect(page.getByLabel('Body')).toHaveValue(/tiny-chat/);
  await page.getByLabel('Body').fill(JSON.stringify(body));
  await page.getByRole('button', { name: 'Send' }).click();
  // With all of them, the page would soon be slow.
  await expect(page.getByText('The last 200 are shown.')).toBeVisible({ timeout: 120_000 });
  // So that the stream outlasts axe on a busy machine, too.
  await slowDownNow(page, 50);
  await expect(page.getByRole('list', { name: 'Events' }).getByRole('listitem')).toHaveCount(200);
  await expectNoViolations(page, page.getByRole('button', { name: 'Stop' }));
  await page.getByRole('button', { name: 'Stop' }).click();
});

test('axe finds nothing while the playground says what is wrong with a body', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Body').fill('{ "model": "m", "n": 9, "temprature": 1 }');
  const refused = page.getByText("'n' must be between 1 and 8.");
  await expect(refused).toBeVisible();
  await expectNoViolations(page, refused);
  await page.getByLabel('Endpoint').selectOption('DELETE /v1/models/{model}');
  await expectNoViolations(page, page.getByText('Deletes the files of the model'));
});

test('axe finds nothing while a model is downloaded', async ({ fresh, closing }) => {
  const hub = closing(await serveTestHub({ moreBytes: 10_000_000 }));
  await redirect(fresh, {
    'https://huggingface.co/': hub.options.hub,
    [modelLibURLPrefix]: hub.options.libraries,
  });
  const release = hold(hub, 9_000_000);
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  const name = HUB_MODEL.replace('mlc-ai/', '');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await card.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(card).toContainText(/11\.\d of 12\.\d MB/, { timeout: 60_000 });
  await expectNoViolations(page, card.getByRole('button', { name: 'Pause' }));
  release();
});

test('axe finds nothing while a model is measured', async ({ fresh, closing }) => {
  const page = await openConsole(fresh, closing);
  // The measurement waits for its turn.
  const stop = await beginLongAnswers(page);
  await page.getByRole('link', { name: 'Models' }).click();
  const name = 'tiny-chat';
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await card.getByRole('button', { name: 'Measure' }).click();
  await expect(card.getByRole('status')).toContainText('Measuring');
  await expectNoViolations(page, card.getByRole('button', { name: 'Stop measuring' }));
  await stop();
  await expect(card).toContainText('tokens a second', { timeout: 120_000 });
});
