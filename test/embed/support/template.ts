import type { Browser, Page } from 'playwright';
import { beforeAll, expect, test, vi } from 'vitest';
import { onDemandCache } from '../../../src/core/realms/engine-files.ts';
import type { Project } from '../../package/support/project.ts';
import { openBrowser } from '../../package/support/site.ts';
import { answer, builtExample } from './example.ts';
import { preview } from './preview.ts';

export interface Template {
  /** Name of the folder in `examples/`. */
  name: string;
  /** Path of its second page. */
  deep: string;
  /** Arguments that tell its server the port. */
  options: (port: string) => string[];
}

/** Tests of a template: it is built as a user would build it, and opened in Chromium. */
export function testTemplate({ name, deep, options }: Template): void {
  // Frameworks come from the registry, and models are compiled on the CPU.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

  let project: Project;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    project = await builtExample(name);
  });

  test('first visit, reload, and a reload without the server', async () => {
    const { origin, stop } = await preview(project, options);
    const { page, problems } = await newVisitor(browser);
    await page.goto(`${origin}/`);
    expect(await answer(page)).toContain('Paris');
    await page.reload();
    expect(await answer(page)).toContain('Paris');
    expect(problems).toEqual([]);
    await untilKept(page);
    await stop();
    await page.reload();
    expect(await answer(page)).toContain('Paris');
  });

  test("a page in a folder, visited first, uses the site's service worker, and needs no server afterwards", async () => {
    const { origin, stop } = await preview(project, options);
    const { page, problems } = await newVisitor(browser);
    await page.goto(origin + deep);
    expect(await answer(page)).toContain('Rome');
    const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
    expect(await controller()).toBe(`${origin}/sw.js`);
    expect(problems).toEqual([]);
    await untilKept(page);
    await stop();
    await page.reload();
    expect(await answer(page)).toContain('Rome');
  });
}

/** Waits until llama.cpp is stored for use offline. Files that the service worker missed come after the answer. */
async function untilKept(page: Page): Promise<void> {
  const kept = () =>
    page.evaluate(async (name) => {
      const cache = await caches.open(name);
      const files = await cache.keys();
      return files.map(({ url }) => new URL(url).pathname);
    }, onDemandCache('/'));
  await expect
    .poll(kept, { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['/llamacpp.js', '/llamacpp.wasm']));
}

/** A page with its own storage, and the errors in it. */
async function newVisitor(browser: Browser): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems };
}
