import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { openStarted, test as base, withProfile } from './fixtures.ts';
import { RECOGNISER, withTestSite, type TestSite } from './site.ts';

export const test = base.extend<object, { hearingSite: TestSite; hearing: Page }>({
  hearingSite: [({}, use) => withTestSite(['tiny-chat', 'tiny-hear'], use), { scope: 'worker' }],
  hearing: [
    ({ hearingSite }, use) =>
      withProfile(async (profile) => use(await openStarted(profile, hearingSite.url))),
    { scope: 'worker' },
  ],
});

/** What the API answers to a form with this file, as text. */
export function transcribe(
  page: Page,
  file: Buffer,
  fields: Record<string, string> = {},
  path = 'audio/transcriptions',
): Promise<{ status: number; text: string }> {
  const bytes = file.toString('base64');
  const all = { model: RECOGNISER, ...fields };
  return page.evaluate(
    async ([base64, entries, endpoint]) => {
      const form = new FormData();
      form.append('file', await (await fetch(`data:;base64,${base64}`)).blob(), 'sound');
      for (const [name, value] of Object.entries(entries)) form.append(name, value);
      const { baseURL, apiKey } = window.v1;
      const response = await fetch(`${baseURL}/${endpoint}`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body: form },
      });
      return { status: response.status, text: await response.text() };
    },
    [bytes, all, path] as const,
  );
}

export function recordingOf(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/tiny-hear/${name}.wav`, import.meta.url));
}
