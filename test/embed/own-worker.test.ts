import type { BrowserContext, Page } from 'playwright';
import { beforeAll, expect, test, vi } from 'vitest';
import { withUndebugged } from '../browser/support/browser/undebugged.ts';
import type { Project } from '../package/support/project.ts';
import { openBrowser } from '../package/support/site.ts';
import { answer, builtExample, makeNew } from './support/example.ts';
import { preview } from './support/preview.ts';
import { visitOffline } from './support/visit.ts';

// The packages of the example come from the registry.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

let project: Project;

beforeAll(async () => {
  project = await builtExample('own-worker');
});

const serve = (port?: string) => preview(project, (free) => ['--port', free, '--strictPort'], port);

test('a worker of vite-plugin-pwa answers: a deep route first, then without the server, then after a deploy', async () => {
  await withUndebugged(async (profile) => {
    const { page, origin, port } = await visitOffline(profile, {
      home: '/',
      deep: 'deep/page',
      serve,
    });
    const word = await makeNew(project);
    await serve(port);
    // The old version answers until its last tab is closed, as its maker wants it.
    await page.reload();
    expect(await answer(page)).toContain('Rome');
    const renewed = await untilReopened(profile, page, word);
    expect(await answer(renewed)).toContain('Rome');
    await renewed.goto(`${origin}/`);
    expect(await renewed.locator('h1').textContent()).toContain(word);
    expect(await answer(renewed)).toContain('Paris');
  });
});

/** Closes a page and opens its address again until its heading has this word. */
async function untilReopened(profile: BrowserContext, first: Page, word: string): Promise<Page> {
  for (let page = first; ;) {
    const url = page.url();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.close();
    page = await profile.newPage();
    await page.goto(url);
    await answer(page);
    if ((await page.locator('h1').textContent())?.includes(word)) return page;
  }
}

test('in `vite dev`, it answers, too', async () => {
  const options = (port: string) => ['--port', port, '--strictPort'];
  const { origin } = await preview(project, options, undefined, 'dev');
  const page = await (await openBrowser()).newPage();
  await page.goto(`${origin}/`);
  expect(await answer(page)).toContain('Paris');
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(await controller()).toBe(`${origin}/dev-sw.js?dev-sw`);
});
