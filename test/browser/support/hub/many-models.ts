import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { Progress, StartOptions } from '../../../../src/index.ts';
import { say } from '../chat.ts';
import { openPage, test as base, withProfile } from '../fixtures.ts';
import { withHold, type Hold } from '../hold.ts';
import { PACKS, PIPER, replaceFile, withTestSite, type TestSite } from '../site.ts';

/** A model with another id and the files of tiny-chat. */
export const TWIN = 'test/tiny-twin';

declare global {
  interface Window {
    reports: Progress[];
  }
}

interface Fixtures {
  manySite: TestSite;
  /** Control of the site's engines; `open` releases them. */
  manyHold: Hold;
  /** Keeps what was downloaded. Each of its pages belongs to one test. */
  manyProfile: BrowserContext;
}

/** Starts the API in a new page, which hosts the engine. */
type Open = (options?: StartOptions) => Promise<Page>;

export const test = base.extend<{ open: Open }, Fixtures>({
  manySite: [
    ({}, use) =>
      withTestSite(['tiny-chat', 'tiny-twin', 'smollm2-135m', 'test-piper'], (site) => {
        site.intercept = replaceFile('/packs/tiny-twin/manifest.json', twinManifest());
        return use(site);
      }),
    { scope: 'worker' },
  ],
  manyHold: [({ manySite }, use) => withHold(manySite, use), { scope: 'worker' }],
  manyProfile: [({}, use) => withProfile(use), { scope: 'worker' }],
  open: async ({ manyProfile, manySite, manyHold }, use) => {
    await manyHold.release();
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await openReporting(manyProfile, manySite, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.close();
  },
});

/** Starts the API in a new page, with all its progress in `window.reports`. */
export async function openReporting(
  profile: BrowserContext,
  site: TestSite,
  options: StartOptions = {},
): Promise<Page> {
  const page = await openPage(profile, site.url);
  await page.evaluate(async (given) => {
    window.reports = [];
    await window.begin({ ...given, onProgress: (report) => window.reports.push(report) });
  }, options);
  return page;
}

function twinManifest(): string {
  const file = join(PACKS['tiny-chat'] ?? '', 'manifest.json');
  return JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), id: TWIN });
}

/** The first tokens of a model's answer. */
export function ask(page: Page, model: string) {
  return say(page, 'Count to 5.', { model, max_tokens: 9 });
}

/** Speaks a short text; resolves with the bytes of the audio file. */
export function speak(page: Page): Promise<number> {
  return page.evaluate(async (model) => {
    const request = { model, voice: 'joe', input: 'Hello there.' };
    const response = await window.client.audio.speech.create(request);
    return (await response.arrayBuffer()).byteLength;
  }, PIPER);
}

/** The models that were loaded, unloaded or failed, in order. */
export async function changes(page: Page): Promise<string[]> {
  const reports = await page.evaluate(() => window.reports);
  return reports
    .filter(({ stage }) => ['ready', 'unloaded', 'failed'].includes(stage))
    .map(({ model, stage }) => `${stage} ${model}`);
}

/** Ids of the models that are listed as loaded. */
export async function loaded(page: Page): Promise<string[]> {
  const models = await page.evaluate(() => window.v1.models.list());
  return models.filter(({ state }) => state === 'loaded').map(({ id }) => id);
}
