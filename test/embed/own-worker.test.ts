import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { listen } from '../../src/node/serve/listen.ts';
import type { Project } from '../package/support/project.ts';
import { openBrowser } from '../package/support/site.ts';
import { answer, builtExample } from './support/example.ts';
import { preview } from './support/preview.ts';

// The packages of the example come from the registry.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

let project: Project;

beforeAll(async () => {
  project = await builtExample('own-worker');
});

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

test('in `vite dev`, it answers, too', async () => {
  const { origin } = await preview(
    project,
    (port) => ['--port', port, '--strictPort'],
    undefined,
    'dev',
  );
  const page = await (await openBrowser()).newPage();
  await page.goto(`${origin}/`);
  expect(await answer(page)).toContain('Paris');
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(await controller()).toBe(`${origin}/dev-sw.js?dev-sw`);
});
