import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import { ROOT } from '../../scripts/build/stamp.ts';
import { openBrowser, serveSite } from '../package/support/site.ts';

// The packages of the site are installed before it is built.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const SITE = join(ROOT, 'dist/docs');

let pages: Map<string, string>;

beforeAll(async () => {
  const { code, output } = await runCommand('npm', ['run', '--silent', 'docs'], { quiet: true });
  if (code !== 0) throw new Error(`npm run docs failed:\n${output}`);
  const paths = globSync('**/*.html', { cwd: SITE });
  pages = new Map(paths.map((path) => [path, readFileSync(join(SITE, path), 'utf8')]));
});

/** Where the links of a page lead within the site, as `page.html#heading`. */
function linksOf(path: string, html: string): string[] {
  const hrefs = [...html.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) => href);
  return hrefs
    .map((href) => new URL(href, `http://site/${path}`))
    .filter(({ host }) => host === 'site')
    .map(({ pathname, hash }) => decodeURIComponent(`${pathname.slice(1)}${hash}`))
    .map((link) => link.replace(/(^|\/)(?=#|$)/, '$1index.html'));
}

test('every link leads to a page, and to a heading of it', () => {
  const broken = [...pages].flatMap(([path, html]) =>
    linksOf(path, html).filter((link) => {
      const [page = '', id = ''] = link.split('#');
      const target = pages.get(page);
      return target === undefined || (id !== '' && !target.includes(`id="${id}"`));
    }),
  );
  expect(broken).toEqual([]);
  expect(pages.size).toBeGreaterThan(20);
});

/** What the examples of a page print, each run with its button. */
async function outputs(page: Page): Promise<string[]> {
  const texts: string[] = [];
  for (const example of await page.locator('.runnable').all()) {
    await example.getByRole('button', { name: /Run/ }).click();
    const output = example.locator('output[data-state]');
    await output.waitFor({ timeout: 60_000 });
    texts.push(await output.innerText());
  }
  return texts;
}

test('the examples run in the page as they are shown', async () => {
  const page = await (await openBrowser()).newPage();
  await page.goto(`${await serveSite(SITE)}start.html`);
  const [answer, object, similar] = await outputs(page);
  expect(answer).toContain('The capital of France is Paris');
  expect(object).toContain('"city": "Rome"');
  const [same = 0, another = 1] = [...(similar ?? '').matchAll(/0\.\d+/g)].map(Number);
  expect(same).toBeGreaterThan(another + 0.2);
});

test('so does the example of the Prompt API', async () => {
  const page = await (await openBrowser()).newPage();
  await page.goto(`${await serveSite(SITE)}prompt-api.html`);
  const [text] = await outputs(page);
  expect(text).toMatch(/^0 %\n[^]*100 %\nI am Fred/);
});

test('the page about the console has pictures, each with a text in its place', async () => {
  const page = await (await openBrowser()).newPage();
  await page.goto(`${await serveSite(SITE)}console.html`);
  const pictures = await page.locator('main img').evaluateAll((images) =>
    Promise.all(
      images.map(async (image) => {
        if (!(image instanceof HTMLImageElement)) throw new Error('It is no image.');
        await image.decode();
        return { text: image.alt, width: image.naturalWidth };
      }),
    ),
  );
  expect(pictures).toHaveLength(5);
  for (const { text, width } of pictures) {
    expect(text).toMatch(/^The .{10}/);
    expect(width).toBe(1280);
  }
});
