import type { BrowserContext, Page } from 'playwright/test';
import { openPage, test as base, withProfile } from './fixtures.ts';
import { PIPER, serveTestSite, type TestSite } from './site.ts';
import type { SpeechBody } from './speech-file.ts';

interface Fixtures {
  speechSite: TestSite;
  speechProfile: BrowserContext;
  /** A page in which the API runs, with models that speak; `urls` is all that it and its workers asked for. */
  speaking: { page: Page; urls: string[] };
}

export const test = base.extend<object, Fixtures>({
  speechSite: [
    async ({}, use) => {
      const site = await serveTestSite('/', ['tiny-chat', 'test-piper', 'kokoro-82m']);
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  speechProfile: [({}, use) => withProfile(use), { scope: 'worker' }],
  speaking: [
    async ({ speechProfile, speechSite }, use) => {
      const urls: string[] = [];
      speechProfile.on('request', (request) => urls.push(request.url()));
      const page = await openPage(speechProfile, speechSite.url);
      await page.evaluate(() => window.begin());
      await use({ page, urls });
    },
    { scope: 'worker' },
  ],
});

/** What the openai package gets, decoded by the browser. */
export function speak(page: Page, request: SpeechBody) {
  return page.evaluate(async (body) => {
    const response = await window.client.audio.speech.create(body);
    const file = await response.arrayBuffer();
    const opening = new TextDecoder('latin1').decode(file.slice(0, 4));
    const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(file);
    const samples = sound.getChannelData(0);
    const squares = samples.reduce((sum, sample) => sum + sample * sample, 0);
    const [peak = 0] = samples.toSorted((a, b) => Math.abs(b) - Math.abs(a));
    return {
      type: response.headers.get('content-type'),
      opening,
      seconds: sound.duration,
      loudness: Math.sqrt(squares / samples.length),
      peak: Math.abs(peak),
    };
  }, request);
}

export const joe = (input: string, rest: Partial<SpeechBody> = {}): SpeechBody => ({
  ...{ model: PIPER, voice: 'joe', input },
  ...rest,
});
