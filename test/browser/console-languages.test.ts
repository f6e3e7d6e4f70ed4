import { createServer } from 'node:http';
import type { Page } from 'playwright/test';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { violationsOf } from './support/axe.ts';
import { QUICK_SITE, serveFolder } from './support/built-sites.ts';
import { expect, test, withProfile } from './support/fixtures.ts';
import { CAPITAL, PARIS } from './support/prompts.ts';
import { listenAnywhere } from './support/servers.ts';

test.describe.configure({ timeout: 300_000 });

const GERMAN = ['Modelle', 'Anfragen', 'Schlüssel', 'Playground', 'Gerät', 'Chat'];

/** The console in the browser of a user with this language. */
async function inLanguage(
  locale: string,
  use: (page: Page, server: { close(): Promise<void> }) => Promise<void>,
  serve = () => serveFolder(QUICK_SITE),
): Promise<void> {
  const server = await serve();
  try {
    await withProfile(
      async (context) => {
        const page = await context.newPage();
        await page.goto(server.origin);
        await use(page, server);
      },
      undefined,
      locale,
    );
  } finally {
    await server.close().catch(() => undefined);
  }
}

/** Asks in the chat; resolves when the answer is complete. */
async function ask(page: Page, names: { message: string; send: string; answer: string }) {
  await page.getByRole('textbox', { name: names.message }).fill(CAPITAL);
  await page.getByRole('button', { name: names.send }).click();
  const answer = page.getByRole('article', { name: names.answer });
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  await expect(answer).toContainText(PARIS);
}

test('a German browser sees German from the first word on, and every page fits a phone', async () => {
  await inLanguage('de-AT', async (page) => {
    const html = page.locator('html');
    await expect(html).toHaveAttribute('lang', 'de');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await ask(page, { message: 'Nachricht', send: 'Senden (Eingabetaste)', answer: 'Antwort' });
    await expect(page.getByText(/^\d+ Prompt-Tokens?$/)).toBeVisible();
    for (const name of GERMAN) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveTitle(name === 'Chat' ? 'slashv1' : `${name} · slashv1`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBe(390);
      expect(await violationsOf(page), name).toEqual([]);
    }
    for (const name of ['Chats', 'Vorlesen', 'Im Code verwenden', 'Einstellungen dieses Chats']) {
      await page.getByRole('button', { name, exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name });
      expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth), name).toBe(0);
      expect(await violationsOf(page), name).toEqual([]);
      await page.getByRole('button', { name: 'Schließen' }).click();
    }
  });
});

test('the language is switched without a reload, and remembered, also without a network', async () => {
  await inLanguage('ja', async (page, server) => {
    const html = page.locator('html');
    await expect(html).toHaveAttribute('lang', 'ja');
    await ask(page, { message: 'メッセージ', send: '送信 (Enter)', answer: '回答' });
    await page.getByRole('link', { name: 'キー', exact: true }).click();
    const label = page.getByLabel('ラベル');
    await label.fill('Robot');
    await page.getByLabel('言語').selectOption({ label: 'Français' });
    await expect(page.getByRole('heading', { name: 'Clés' })).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'fr');
    await expect(page.getByLabel('Libellé')).toHaveValue('Robot');
    // What was said is still there.
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await expect(page.getByRole('article', { name: 'Réponse' })).toContainText(PARIS);
    await page.getByRole('link', { name: 'Clés', exact: true }).click();

    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await server.close();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Clés' })).toBeVisible();
    await page.getByLabel('Langue').selectOption({ label: '简体中文' });
    await expect(page.getByRole('heading', { name: '密钥' })).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'zh-Hans');
    await page.getByLabel('语言').selectOption({ label: '日本語' });
    await expect(html).toHaveAttribute('lang', 'ja');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'キー' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('slashv1-console-language'))).toBeNull();
  });
});

/** The quick site, whose French has been lost. */
function serveWithoutFrench() {
  const site = createSiteServer(QUICK_SITE);
  const server = createServer((request, response) => {
    if (/\/fr-[^/]+\.js$/.test(request.url ?? '')) response.writeHead(404).end();
    else site.emit('request', request, response);
  });
  return listenAnywhere(server);
}

test('a language that cannot be fetched leaves the console in the one before', async () => {
  await inLanguage(
    'fr',
    async (page) => {
      await expect(page.getByRole('heading', { name: 'This page is an API.' })).toBeVisible();
      const list = page.getByLabel('Language');
      await list.selectOption({ label: 'Deutsch' });
      await expect(page.getByRole('heading', { name: 'Diese Seite ist eine API.' })).toBeVisible();
      await page.getByLabel('Sprache').selectOption({ label: 'Français' });
      await expect(page.getByRole('alert')).toContainText('konnte nicht geladen werden');
      await expect(page.getByLabel('Sprache')).toHaveValue('de');
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    },
    serveWithoutFrench,
  );
});
