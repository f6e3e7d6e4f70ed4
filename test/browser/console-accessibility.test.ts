import type { Page } from 'playwright/test';
import { violationsOf } from './support/axe.ts';
import { ask, openConsole } from './support/console.ts';
import { expect, test } from './support/fixtures.ts';
import { pictureFile } from './support/seeing.ts';

test.describe.configure({ timeout: 300_000 });

/** A file that fits, a picture that the model does not see, and one that is none: all that a draft can say. */
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
  await expect(page.getByText('broken.bin is no picture')).toBeVisible();
}

const PAGES = ['Chat', 'Models', 'Requests', 'Keys', 'Playground', 'Device'];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any page and dialog: ${colorScheme}`, async ({ fresh, closing }) => {
    const page = await openConsole(fresh, closing);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
    expect(await violationsOf(page), 'welcome').toEqual([]);
    await ask(page, 'Hello');
    for (const name of PAGES) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      );
      expect(await violationsOf(page), name).toEqual([]);
    }
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await attach(page);
    expect(await violationsOf(page), 'attached').toEqual([]);
    for (const name of ['Chats', 'Speak', 'Use it from code', 'Settings of this chat']) {
      await page.getByRole('button', { name, exact: true }).click();
      expect(await violationsOf(page), name).toEqual([]);
      await page.getByRole('button', { name: 'Close' }).click();
    }
  });
}

test('every page fits a phone of 390 pixels, and its targets are 44 pixels', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing);
  await page.setViewportSize({ width: 390, height: 844 });
  await ask(page, 'Hello');
  await attach(page);
  for (const name of PAGES) {
    await page.getByRole('link', { name, exact: true }).click();
    const { width, small } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      small: [...document.querySelectorAll('button, nav a')].flatMap((target) => {
        const { width: across, height } = target.getBoundingClientRect();
        return across > 0 && (across < 44 || height < 44) ? [target.outerHTML] : [];
      }),
    }));
    expect(width, name).toBe(390);
    expect(small, name).toEqual([]);
  }
});
