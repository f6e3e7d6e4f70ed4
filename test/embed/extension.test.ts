import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findChromium, webgpuFlags } from '../../src/node/browser.ts';
import { answer, builtExample, makeNew } from './support/example.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Chromium makes the id of an extension without a key from its folder, in the letters from a to p. */
function idOf(folder: string): string {
  const hex = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  return hex.replaceAll(/./g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)));
}

/** A browser that has an extension. */
function launchWith(extension: string, profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    ignoreDefaultArgs: [
      '--disable-extensions',
      '--disable-component-extensions-with-background-pages',
    ],
    args: [
      '--headless=new',
      ...webgpuFlags('software'),
      // Chrome's own builds ignore --load-extension otherwise.
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--load-extension=${extension}`,
    ],
  });
}

test('an extension: a page in a folder first, then without a network, then after an update', async () => {
  const project = await builtExample('extension');
  const folder = join(project.folder, 'dist');
  const profile = mkdtempSync(join(tmpdir(), 'slashv1-profile-'));
  onTestFinished(() => rmSync(profile, { recursive: true, force: true, maxRetries: 10 }));
  const origin = `chrome-extension://${idOf(folder)}/`;
  const problems: string[] = [];
  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(origin + path);
    return page;
  };

  const context = await launchWith(folder, profile);
  const page = await open(context, 'deep/page/index.html');
  expect(await answer(page)).toContain('Rome');
  await context.setOffline(true);
  await page.reload();
  expect(await answer(page)).toContain('Rome');
  await context.close();

  const word = await makeNew(project);
  const next = await launchWith(folder, profile);
  try {
    const home = await open(next, 'index.html');
    expect(await home.locator('h1').textContent()).toContain(word);
    expect(await answer(home)).toContain('Paris');
  } finally {
    await next.close();
  }
  expect(problems).toEqual([]);
});
