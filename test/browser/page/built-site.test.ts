import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SITE } from '../../../scripts/build/build-site.ts';
import { serveFolder } from '../support/sites/built-sites.ts';
import { expect, test } from '../support/fixtures.ts';
import { withTempFolder } from '../support/storage/temp-folder.ts';

test('the built site works below any path, and opens there without a network', async ({
  fresh,
  closing,
}) => {
  await withTempFolder('host', async (host) => {
    mkdirSync(join(host, 'deep'));
    symlinkSync(SITE, join(host, 'deep/site'));
    const server = closing(await serveFolder(host));
    const url = `${server.origin}/deep/site/`;
    const page = await fresh.newPage();
    const missing: string[] = [];
    page.on('response', (answer) => answer.status() === 404 && missing.push(answer.url()));
    await page.goto(url);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(url);
    expect(missing).toEqual([]);
    const isIsolated = () => page.evaluate(() => crossOriginIsolated);
    expect(await isIsolated()).toBe(true);

    await server.close();
    await page.reload();
    await expect(page).toHaveTitle('slashv1');
    // The service worker has stored the headers too.
    expect(await isIsolated()).toBe(true);
    // The page shows this until the console's script runs.
    await expect(page.locator('.not-started')).toHaveCount(0);
  });
});

/** What the page loads before anything is clicked: what its HTML names, and what those scripts import at once. */
function firstLoad(): Set<string> {
  const assets = join(SITE, 'assets');
  const first = new Set<string>();
  const waiting: string[] =
    readFileSync(join(SITE, 'index.html'), 'utf8').match(/assets\/[^"]+\.(js|css)/g) ?? [];
  for (const path of waiting) {
    const name = basename(path);
    if (first.has(name)) continue;
    first.add(name);
    const source = readFileSync(join(assets, name), 'utf8');
    const imports = source.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g);
    waiting.push(...[...imports].map(([, file = '']) => file));
  }
  return first;
}

test('the scripts and styles that the console loads first have at most 120 kB, gzipped', () => {
  const assets = join(SITE, 'assets');
  const own = [...firstLoad()];
  const sizes = own.map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  expect(own.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
});

for (const [what, file] of [
  ['reads PDFs', 'pdf-worker'],
  ['draws diagrams', 'mermaid.tiny'],
] as const) {
  test(`what ${what} is fetched with the first one, and not kept before`, () => {
    const found = readdirSync(join(SITE, 'assets')).filter((name) => name.startsWith(file));
    expect(found).toHaveLength(1);
    expect(readFileSync(join(SITE, 'sw.js'), 'utf8')).not.toContain(file);
  });
}

test('each language but English is fetched when it is chosen, and kept before', () => {
  const kept = readFileSync(join(SITE, 'sw.js'), 'utf8');
  const first = [...firstLoad()];
  for (const language of ['de', 'fr', 'es', 'ja', 'zh']) {
    const chunks = readdirSync(join(SITE, 'assets')).filter((name) =>
      name.startsWith(`${language}-`),
    );
    expect(chunks, language).toHaveLength(1);
    expect(first).not.toContain(chunks[0]);
    expect(kept).toContain(chunks[0]);
  }
});
