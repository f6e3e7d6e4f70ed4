import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite, SITE } from '../../scripts/build-site.ts';
import { defaultPacks } from '../../scripts/packs.ts';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { expect, test } from './support/fixtures.ts';
import { closeServer, port } from './support/site.ts';

test('the built site works below any path, and opens there without a network', async ({
  fresh,
}) => {
  await buildSite({ packs: await defaultPacks() });
  const host = mkdtempSync(join(tmpdir(), 'built-site-'));
  mkdirSync(join(host, 'deep'));
  symlinkSync(SITE, join(host, 'deep/site'));
  const server = createSiteServer(host);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port(server)}/deep/site/`;
  try {
    const page = await fresh.newPage();
    const missing: string[] = [];
    page.on('response', (answer) => answer.status() === 404 && missing.push(answer.url()));
    await page.goto(url);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(url);
    expect(missing).toEqual([]);

    await closeServer(server);
    await page.reload();
    await expect(page).toHaveTitle('slashv1');
    // What stands there until the console's script runs.
    await expect(page.locator('.not-started')).toHaveCount(0);
  } finally {
    await closeServer(server);
    rmSync(host, { recursive: true, force: true });
  }
});
