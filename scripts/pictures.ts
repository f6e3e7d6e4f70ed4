/**
 * `npm run pictures [-- FOLDER]`: pictures of each page of the console in both themes and at three widths, as PNG files.
 * The folder is `dist/pictures` by default. `docs/console.png` and `docs/pictures` are those of the light theme, wide.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { findChromium, webgpuFlags } from '../src/node/browser.ts';
import { serveFolder } from '../test/browser/support/sites/built-sites.ts';
import { buildSite } from './build/build-site.ts';
import { ensureChromium } from './testing/ensure-browsers.ts';
import { defaultPacks } from './build/packs.ts';
import { ROOT } from './build/stamp.ts';

const FOLDER = process.argv[2] ?? join(ROOT, 'dist/pictures');
const SITE = join(ROOT, '.cache/pictures-site');
const PAGES = ['chat', 'models', 'requests', 'keys', 'playground', 'device'];
const WIDTHS = {
  wide: { width: 1280, height: 800 },
  medium: { width: 768, height: 1024 },
  narrow: { width: 390, height: 844 },
};
const THEMES = ['light', 'dark'] as const;

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.getByRole('button', { name: 'Send (Enter)' }).click();
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await answer.and(page.locator('[aria-busy=false]')).waitFor({ timeout: 300_000 });
}

/** Sends the playground's first request, so that there is a response to see. */
async function play(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await response.and(page.locator('[aria-busy=false]')).waitFor({ timeout: 300_000 });
}

/** Waits until the page of models has measured the device. */
async function measured(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Best for this device' }).waitFor();
  await page.getByText('Measuring how fast it is here…').waitFor({ state: 'hidden' });
}

await ensureChromium();
await buildSite({ packs: await defaultPacks(), folder: SITE });
mkdirSync(FOLDER, { recursive: true });
const server = await serveFolder(SITE);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: webgpuFlags('software'),
});
// A picture in the middle of a transition would show neither theme.
const page = await browser.newPage({ reducedMotion: 'reduce' });
await page.goto(server.origin);
await ask(page, 'Why is the sky blue?');
for (const name of PAGES) {
  // Narrow screens have one link for all pages of developers.
  await page.setViewportSize(WIDTHS.wide);
  if (name !== 'chat') await page.getByRole('link', { name: new RegExp(name, 'i') }).click();
  if (name === 'models') await measured(page);
  if (name === 'playground') await play(page);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size);
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`) });
    }
  }
}
await browser.close();
await server.close();
process.stdout.write(`${FOLDER} has the pictures.\n`);
