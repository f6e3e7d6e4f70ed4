import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright/test';
import { findChromium } from '../../../src/node/browser.ts';
import { say } from '../support/chat.ts';
import { begin, expect, openPage, test, WITHOUT_GPU } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { LIBRARY_FOLDER, PACKS, SCRIPTS, SITE, TINY } from '../support/site.ts';
import { withTempFolder } from '../support/storage/temp-folder.ts';

const MANIFEST = {
  manifest_version: 3,
  name: 'slashv1 test',
  version: '1',
  content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" },
};

/** The test page, as a page of an extension. */
function writeExtension(folder: string): void {
  cpSync(LIBRARY_FOLDER, folder, { recursive: true });
  cpSync(join(SITE, 'index.html'), join(folder, 'index.html'));
  cpSync(join(SCRIPTS, 'page.js'), join(folder, 'page.js'));
  mkdirSync(join(folder, 'packs'));
  cpSync(PACKS['tiny-chat'] ?? '', join(folder, 'packs/tiny-chat'), { recursive: true });
  writeFileSync(join(folder, 'packs/index.json'), JSON.stringify({ packs: ['tiny-chat/'] }));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
}

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
    args: ['--headless=new', ...WITHOUT_GPU, `--load-extension=${extension}`],
  });
}

test('a page of a browser extension chats with v1.fetch', async () => {
  await withTempFolder('extension', async (folder) => {
    writeExtension(folder);
    await withTempFolder('profile', async (profile) => {
      const context = await launchWith(folder, profile);
      try {
        const page = await openPage(context, `chrome-extension://${idOf(folder)}/index.html`);
        await begin(page, { serviceWorker: false, model: TINY, engines: ['llamacpp'] });
        expect(await say(page, 'Hello!')).toBe(GREETING);
      } finally {
        await context.close();
      }
    });
  });
});
