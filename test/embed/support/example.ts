import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import type { Page } from 'playwright';
import { projectIn, type Project } from '../../package/support/project.ts';

/** Builds a folder of `examples/`, whose packages are installed already. @param script - of its package.json */
export async function builtExample(name: string, script = 'build'): Promise<Project> {
  const project = projectIn(join(inject('examples'), name));
  await rebuild(project, script);
  return project;
}

async function rebuild(project: Project, script: string): Promise<void> {
  const { code, stdout, stderr } = await project.run('npm', 'run', script);
  if (code !== 0) throw new Error(`npm run ${script} failed:\n${stdout}\n${stderr}`);
}

/** What the headings of all pages begin with. */
const HEADING = /<h1>The(?: \w+)? capital of/;

/**
 * Changes the headings of an example, and builds it again, as for a new deploy.
 *
 * @returns a word that the headings have had never before
 */
export async function makeNew(project: Project, script = 'build'): Promise<string> {
  const word = `new${crypto.randomUUID().slice(0, 8)}`;
  const folders = ['.', ...readdirSync(project.folder).filter((name) => SOURCES.has(name))];
  for (const path of folders.flatMap((folder) => pagesIn(join(project.folder, folder)))) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(HEADING, `<h1>The ${word} capital of`));
  }
  await rebuild(project, script);
  return word;
}

/** Folders with the sources of an example. */
const SOURCES = new Set(['app', 'pages', 'public', 'src']);

function pagesIn(folder: string): string[] {
  const recursive = SOURCES.has(folder.slice(folder.lastIndexOf('/') + 1));
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:html|jsx|vue|svelte|astro)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Resolves when a page has a heading with this word, after as many reloads as the take-over needs, and no new version of
 * the service worker is about to take over.
 */
export async function untilNew(page: Page, word: string): Promise<void> {
  const heading = page.locator('h1');
  for (;;) {
    await settled(page);
    if ((await heading.textContent())?.includes(word)) return;
    await page.reload();
  }
}

/** Resolves when the page has its answer and the newest service worker. */
async function settled(page: Page): Promise<void> {
  await answer(page);
  // Otherwise the browser looks for an update a second after the page has loaded.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const isSettled = () =>
    page.evaluate(async () => {
      const { serviceWorker } = navigator;
      const { installing, waiting, active } = await serviceWorker.ready;
      const isExchanging = installing || waiting || active?.state !== 'activated';
      return !isExchanging && active === serviceWorker.controller;
    });
  await expect.poll(isSettled).toBe(true);
}

/** What the model writes into the page. */
export async function answer(page: Page): Promise<string | null> {
  const shown = page.locator('#answer', { hasNotText: '…' });
  await shown.waitFor({ timeout: 120_000 });
  return shown.textContent();
}
