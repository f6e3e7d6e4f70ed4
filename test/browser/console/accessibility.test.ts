import type { Page } from 'playwright/test';
import { violationsOf } from '../support/console/axe.ts';
import {
  ask,
  cardOf,
  holdAnswers,
  holdDownload,
  openConsole,
  scriptedEngine,
} from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { HUB_CHAT } from '../support/scripted/catalog.ts';
import { pictureFile } from '../support/media/seeing.ts';

test.describe.configure({ timeout: 300_000 });

const PAGES = ['Chat', 'Models', 'Requests', 'Keys', 'Playground', 'Device'];

/** Runs axe in both themes. */
async function expectNoViolations(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsOf(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Attaches a text that fits, a picture that the model cannot see, and a file of another kind: all notes of a draft. */
async function attach(page: Page): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const long = 'notes-of-a-very-long-name-that-does-not-fit-on-a-phone.md';
  await (
    await choosing
  ).setFiles([
    { name: long, mimeType: 'text/markdown', buffer: Buffer.from('The sea is blue.') },
    { name: 'circle.png', mimeType: 'image/png', buffer: pictureFile('red-circle.png') },
    { name: 'broken.bin', mimeType: '', buffer: Buffer.from([0]) },
  ]);
  await expect(page.getByText(/^It fits: /)).toBeVisible();
  await expect(page.getByText('broken.bin is not a picture')).toBeVisible();
}

test('axe finds nothing on any page and dialog', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
  await expectNoViolations(page, 'welcome');
  await ask(page, 'Hello');
  for (const name of PAGES) {
    const link = page.getByRole('link', { name, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expectNoViolations(page, name);
  }
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await attach(page);
  await expectNoViolations(page, 'attached');
  // On a wide screen, the chats are beside the chat.
  await page.setViewportSize({ width: 900, height: 720 });
  for (const name of ['Chats', 'Speak', 'Use it from code', 'Settings of this chat']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expectNoViolations(page, name);
    await page.getByRole('button', { name: 'Close' }).click();
  }
});

test('every page fits a phone of 360 pixels, and its targets are 44 pixels', async ({
  context,
  closing,
}) => {
  // A model that hears brings two more buttons below the text field.
  const page = await openConsole(context, closing, {
    packs: ['tiny-chat', 'test-piper', 'tiny-hear'],
  });
  await page.setViewportSize({ width: 360, height: 780 });
  await ask(page, 'Hello');
  await expect(page.getByRole('button', { name: 'Talk' })).toBeVisible();
  const model = page.locator('.model-name');
  expect(await model.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await attach(page);
  for (const name of PAGES) {
    const link = page.getByRole('link', { name, exact: true });
    // On a phone, four of them share one place.
    if (!(await link.isVisible())) await page.getByRole('link', { name: 'Developer' }).click();
    await link.click();
    if (name === 'Keys') await page.getByRole('button', { name: 'Create key' }).click();
    const { width, cut, small } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      cut: [...document.querySelectorAll('main, .card, .composer-row')].flatMap((part) =>
        part.scrollWidth > part.clientWidth ? [part.outerHTML] : [],
      ),
      small: [...document.querySelectorAll('button, nav a')].flatMap((target) => {
        const { width: across, height } = target.getBoundingClientRect();
        return across > 0 && (across < 44 || height < 44) ? [target.outerHTML] : [];
      }),
    }));
    expect(width, name).toBe(360);
    expect(cut, name).toEqual([]);
    expect(small, name).toEqual([]);
  }
});

test('small screens begin with the headline, and show it whole', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  const sizes = { phone: [320, 640], landscape: [844, 390], 'zoom of 200 %': [640, 450] } as const;
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height });
    await page.reload();
    const title = page.getByRole('heading', { name: 'This page is an API.' });
    await expect(title, name).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Go to the end' }), name).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
    const isCut = await page
      .locator('nav a:visible, header button:visible')
      .evaluateAll(
        (all, most) =>
          all.some(
            (each) =>
              each.scrollWidth > each.clientWidth ||
              each.scrollHeight > each.clientHeight ||
              each.getBoundingClientRect().right > most,
          ),
        width,
      );
    expect(isCut, name).toBe(false);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await ask(page, 'Hello');
  await expect(page.getByRole('meter', { name: 'Context' })).toBeVisible();
  const model = page.locator('.model-name');
  expect(await model.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

test('axe finds nothing while the playground receives a stream, or says what is wrong with a body', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Playground' }).click();
  const field = page.getByLabel('Body');
  await expect(field).toHaveValue(/tiny-chat/);
  const letGoOn = await holdAnswers(page, 300);
  const messages = [{ role: 'user', content: 'Count to 400.' }];
  await field.fill(JSON.stringify({ model: 'slashv1/tiny-chat', stream: true, messages }));
  await page.getByRole('button', { name: 'Send' }).click();
  // With all of them, the page would soon be slow.
  await expect(page.getByText('Showing the last 200.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Events' }).getByRole('listitem')).toHaveCount(200);
  await expectNoViolations(page, 'stream');
  await page.getByRole('button', { name: 'Stop' }).click();
  await letGoOn();

  await field.fill('{ "model": "m", "n": 9, "temprature": 1 }');
  await expect(page.getByText("'n' must be between 1 and 8.")).toBeVisible();
  await expectNoViolations(page, 'refused');
  await page.getByLabel('Endpoint').selectOption('DELETE /v1/models/{model}');
  await expect(page.getByText('Deletes the files of the model')).toBeVisible();
  await expectNoViolations(page, 'deleting');
});

test('axe finds nothing while a model is downloaded, and while one is measured', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  await holdDownload(page, HUB_CHAT, 11_200_000);
  const hub = cardOf(page, HUB_CHAT.replace('mlc-ai/', ''));
  await hub.getByRole('button', { name: 'Download', exact: true }).click();
  await hub.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(hub).toContainText('11.2 of');
  const engine = await scriptedEngine(page);
  await engine.evaluate(() => scripted.models.measuring.shut());
  const own = cardOf(page, 'tiny-chat');
  await own.getByRole('button', { name: 'Measure' }).click();
  await expect(own.getByRole('status')).toContainText('Measuring');
  await expectNoViolations(page, 'downloading and measuring');
  await expect(hub.getByRole('button', { name: 'Pause' })).toBeVisible();
  await engine.evaluate(() => scripted.models.measuring.open());
  await expect(own).toContainText('tokens a second');
});
