import type { BrowserContext, Page } from 'playwright/test';
import { openStarted, test as base, withProfile } from '../fixtures.ts';
import { withHold, type Hold } from '../hold.ts';
import { PIPER, withTestSite, type TestSite } from '../site.ts';
import type { SpeechBody } from './speech-file.ts';

interface Fixtures {
  speechSite: TestSite;
  /** Control of the site's engines. */
  speechHold: Hold;
  speechProfile: BrowserContext;
  /** A page in which the API runs, with voices, and the URLs of all requests of its profile. */
  speaking: { page: Page; urls: string[] };
}

export const test = base.extend<object, Fixtures>({
  speechSite: [
    ({}, use) => withTestSite(['tiny-chat', 'test-piper', 'kokoro-82m'], use),
    { scope: 'worker' },
  ],
  speechHold: [({ speechSite }, use) => withHold(speechSite, use), { scope: 'worker', auto: true }],
  speechProfile: [({}, use) => withProfile(use), { scope: 'worker' }],
  speaking: [
    async ({ speechProfile, speechSite }, use) => {
      const urls: string[] = [];
      speechProfile.on('request', (request) => urls.push(request.url()));
      await use({ page: await openStarted(speechProfile, speechSite.url), urls });
    },
    { scope: 'worker' },
  ],
});

/** Speaks with the openai package and decodes the file with the browser. */
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

export function joe(input: string, rest: Partial<SpeechBody> = {}): SpeechBody {
  return { model: PIPER, voice: 'joe', input, ...rest };
}
