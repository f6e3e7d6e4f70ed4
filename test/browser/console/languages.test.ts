import type { Browser, Page } from 'playwright/test';
import { violationsOf } from '../support/console/axe.ts';
import { serveConsole, type Scripted } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';

const GERMAN = ['Modelle', 'Anfragen', 'Schlüssel', 'Playground', 'Gerät', 'Chat'];

/** The console in the browser of a user with this language. */
async function inLanguage(
  browser: Browser,
  locale: string,
  use: (page: Page, server: { close(): Promise<void> }) => Promise<void>,
  scripted?: Scripted,
): Promise<void> {
  const server = await serveConsole(scripted);
  const context = await browser.newContext({ locale });
  try {
    const page = await context.newPage();
    await page.goto(server.origin);
    await use(page, server);
  } finally {
    await context.close();
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

test('a German browser sees German from the first word on, and every page fits a phone', async ({
  browser,
}) => {
  await inLanguage(browser, 'de-AT', async (page) => {
    const html = page.locator('html');
    await expect(html).toHaveAttribute('lang', 'de');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await ask(page, { message: 'Nachricht', send: 'Senden (Eingabetaste)', answer: 'Antwort' });
    await page.getByTitle('Zahlen zu dieser Antwort').click();
    await expect(page.getByText(/^\d+ Prompt-Tokens?$/)).toBeVisible();
    for (const name of GERMAN) {
      const link = page.getByRole('link', { name, exact: true });
      if (!(await link.isVisible())) await page.getByRole('link', { name: 'Entwickler' }).click();
      await link.click();
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

test('the language is switched without a reload, and remembered, also without a network', async ({
  browser,
}) => {
  await inLanguage(browser, 'ja', async (page, server) => {
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
    // The conversation is still there.
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

test('a language that cannot be fetched leaves the console in the one before', async ({
  browser,
}) => {
  await inLanguage(
    browser,
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
    { lost: /\/fr-[^/]+\.js$/ },
  );
});
