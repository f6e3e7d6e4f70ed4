import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { Progress, StartOptions } from '../../../src/index.ts';
import { openPage, test as base, withProfile } from './fixtures.ts';
import { PACKS, PIPER, serveTestSite, type TestSite } from './site.ts';

/** tiny-chat once more, as a model of its own. */
export const TWIN = 'test/tiny-twin';

declare global {
  interface Window {
    reports: Progress[];
  }
}

interface Fixtures {
  manySite: TestSite;
  /** Keeps what was downloaded; its pages are of one test each. */
  manyProfile: BrowserContext;
}

/** Starts the API in a page of its own, which hosts the engine. */
type Open = (options?: StartOptions) => Promise<Page>;

export const test = base.extend<{ open: Open }, Fixtures>({
  manySite: [
    async ({}, use) => {
      const packs = ['tiny-chat', 'tiny-twin', 'smollm2-135m', 'test-piper'];
      const site = await serveTestSite('/', packs);
      site.intercept = ({ url }, response) => {
        if (url !== '/packs/tiny-twin/manifest.json') return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(twinManifest());
        return true;
      };
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  manyProfile: [({}, use) => withProfile(use), { scope: 'worker' }],
  open: async ({ manyProfile, manySite }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await begin(manyProfile, manySite, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.close();
  },
});

export async function begin(
  profile: BrowserContext,
  site: TestSite,
  options: StartOptions = {},
): Promise<Page> {
  const page = await openPage(profile, site.url);
  await page.evaluate(async (asked) => {
    window.reports = [];
    await window.begin({ ...asked, onProgress: (report) => window.reports.push(report) });
  }, options);
  return page;
}

function twinManifest(): string {
  const file = join(PACKS['tiny-chat'] ?? '', 'manifest.json');
  return JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), id: TWIN });
}

/** The beginning of what a model answers. */
export function ask(page: Page, model: string, content = 'Count to 5.'): Promise<string | null> {
  return page.evaluate(
    async ([id, text]) => {
      const { choices } = await window.client.chat.completions.create({
        model: id,
        messages: [{ role: 'user', content: text }],
        temperature: 0,
        max_tokens: 9,
      });
      return choices[0]?.message.content ?? null;
    },
    [model, content] as const,
  );
}

/** Bytes of audio. */
export function speak(page: Page): Promise<number> {
  return page.evaluate(async (model) => {
    const request = { model, voice: 'joe', input: 'Hello there.' };
    const response = await window.client.audio.speech.create(request);
    return (await response.arrayBuffer()).byteLength;
  }, PIPER);
}

/** What came into memory and what left it, in order. */
export async function changes(page: Page): Promise<string[]> {
  const reports = await page.evaluate(() => window.reports);
  return reports
    .filter(({ stage }) => ['ready', 'unloaded', 'failed'].includes(stage))
    .map(({ model, stage }) => `${stage} ${model}`);
}

/** Ids of the models that the list says are loaded. */
export function loaded(page: Page): Promise<string[]> {
  return page.evaluate(async () =>
    (await window.v1.models.list()).filter(({ state }) => state === 'loaded').map(({ id }) => id),
  );
}
