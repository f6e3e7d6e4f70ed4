import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { ROOT } from '../../scripts/stamp.ts';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { listen } from '../../src/node/serve/listen.ts';
import { emptyProject, type Project } from '../package/support/project.ts';
import { openBrowser } from '../package/support/site.ts';

// The packages of the example come from the registry.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

let project: Project;

beforeAll(async () => {
  project = emptyProject();
  cpSync(join(ROOT, 'examples/own-worker'), project.folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  for (const args of [
    ['install', ...quiet, inject('tarball')],
    ['run', 'build'],
  ]) {
    const { code, stdout, stderr } = await project.run('npm', ...args);
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
});

/** What the model writes into the page. */
async function answer(page: Page): Promise<string | null> {
  const shown = page.locator('#answer', { hasNotText: '…' });
  await shown.waitFor({ timeout: 120_000 });
  return shown.textContent();
}

test('a worker of vite-plugin-pwa answers for slashv1: first visit, reload, without the server', async () => {
  const { origin, close } = await listen(
    createSiteServer(join(project.folder, 'dist')),
    0,
    '--port',
  );
  const page = await (await openBrowser()).newPage();
  await page.goto(`${origin}/`);
  expect(await answer(page)).toContain('Paris');
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(await controller()).toBe(`${origin}/sw.js`);
  await page.reload();
  expect(await answer(page)).toContain('Paris');
  await close();
  await page.reload();
  expect(await answer(page)).toContain('Paris');
});
