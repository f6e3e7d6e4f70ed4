import type { BrowserContext, Page } from 'playwright/test';
import type { StartOptions } from '../../src/index.ts';
import { randomVoices, SAMPLES } from '../support/random-voices.ts';
import { expect, openPage, reloadPage, test } from './support/fixtures.ts';
import { countSubmissions } from './support/gpu.ts';
import { serveRepositories } from './support/repositories.ts';
import { serveTestSite, type TestSite } from './support/site.ts';

test.describe.configure({ timeout: 240_000 });

const MMS = 'Xenova/mms-tts-deu';
const SPEECHT5 = 'Xenova/speecht5_tts';
const SUPERTONIC = 'onnx-community/Supertonic-TTS-2-ONNX';

/** `<es>¿Qué tal?</es>`: 18 tokens, a tenth of a second each, at its authors' pace. */
const SPANISH = {
  rate: 44_100,
  samples: expect.closeTo(((18 * 0.1) / 1.05) * 44_100, -1),
  isSilent: false,
};

/** What the openai package gets: a WAV file's rate and its length in samples, or the failure as a text. */
function speak(page: Page, model: string, voice: string, input: string, lang_code?: string) {
  return page.evaluate(
    async (body) => {
      try {
        const response = await window.client.audio.speech.create(body);
        const file = new DataView(await response.arrayBuffer());
        const samples = new Int16Array(file.buffer, 44);
        const isSilent = samples.every((sample) => sample === 0);
        return { rate: file.getUint32(24, true), samples: samples.length, isSilent };
      } catch (error) {
        return String(error);
      }
    },
    { model, voice, input, ...(lang_code !== undefined && { lang_code }) },
  );
}

/** Voices of a model in the catalog. */
function voicesOf(page: Page, model: string) {
  return page.evaluate(async (id) => {
    const models = await window.v1.models.list();
    return models.find((each) => each.id === id)?.speech?.voices.map((voice) => voice.id) ?? [];
  }, model);
}

interface Voices {
  site: TestSite;
  page: Page;
  /** Has all that the catalog lists. */
  hub: Awaited<ReturnType<typeof serveRepositories>>;
  /** One of SpeechT5's. */
  speaker: string;
  /** Paths of the scripts of the page's workers from the next start on. */
  scripts: string[];
}

async function withVoices(
  fresh: BrowserContext,
  use: (voices: Voices) => Promise<void>,
): Promise<void> {
  const site = await serveTestSite('/', ['tiny-chat']);
  const page = await openPage(fresh, site.url);
  const empty = await serveRepositories(new Map());
  await page.evaluate((hub) => window.begin({ hub }), empty.url);
  const [speakers, styles] = [await voicesOf(page, SPEECHT5), await voicesOf(page, SUPERTONIC)];
  await empty.close();
  const hub = await serveRepositories(randomVoices(speakers, styles));
  const scripts: string[] = [];
  page.on('worker', (worker) => scripts.push(new URL(worker.url()).pathname));
  try {
    await use({ site, page, hub, speaker: speakers[0] ?? '', scripts });
  } finally {
    await hub.close().catch(() => undefined);
    await site.close();
  }
}

async function beginAnew(page: Page, options: StartOptions): Promise<void> {
  await reloadPage(page);
  await page.evaluate((chosen) => window.begin(chosen), options);
}

// Random weights: what it sounds like is nothing that this test could tell.
test('voices of each family come from the hub, get the right text, and speak offline', async ({
  fresh,
}) => {
  await withVoices(fresh, async ({ page, hub, speaker, scripts }) => {
    await beginAnew(page, { hub: hub.url });
    expect(await speak(page, MMS, 'deu', 'Hallo')).toMatch(/404 .* is not installed/);
    for (const model of [MMS, SPEECHT5, SUPERTONIC]) {
      await page.evaluate((id) => window.v1.models.install(id), model);
    }
    const listed = await page.evaluate(() => window.client.models.list());
    expect(listed.data.map(({ id }) => id)).toEqual(
      expect.arrayContaining([MMS, SPEECHT5, SUPERTONIC]),
    );

    // A blank around each of the 13 characters; the punctuation is none of its vocabulary.
    const german = { rate: 16_000, samples: (2 * 13 + 1) * SAMPLES, isSilent: false };
    expect(await speak(page, MMS, 'deu', 'Grüße an „alle“!')).toEqual(german);
    expect(await speak(page, MMS, 'deu', 'Grüße an „alle“!', 'de-AT')).toEqual(german);
    expect(await speak(page, MMS, 'deu', 'Grüße an „alle“!', 'fr')).toMatch(/400 .*speaks de/);
    expect(await speak(page, MMS, 'deu', '7 Москва')).toMatch(
      /400 .*cannot speak: “7”, “М”, “о”, “с”, “к”, “в”, “а”/,
    );

    // `▁two▁words.` and the end are 12 tokens, so that the 7th step is the first one after 12 frames.
    const english = { rate: 16_000, samples: 2 * 7 * SAMPLES, isSilent: false };
    expect(await speak(page, SPEECHT5, speaker, '2 words.')).toEqual(english);
    expect(await speak(page, SPEECHT5, speaker, '你好')).toMatch(/400 .*“你”, “好”/);
    expect(await speak(page, SPEECHT5, 'nobody', 'Hello')).toMatch(/400 .*cmu_us_slt/);

    expect(await speak(page, SUPERTONIC, 'F1', '¿Qué tal?', 'es')).toEqual(SPANISH);

    // Unless the page wants it otherwise, a GPU that is the CPU is none.
    expect(scripts).toEqual(['/engine.js', ...Array.from({ length: 3 }, () => '/speech.js')]);

    await hub.close();
    await beginAnew(page, { hub: hub.url });
    expect(await speak(page, MMS, 'deu', 'Grüße an „alle“!')).toEqual(german);
    expect(await speak(page, SPEECHT5, speaker, '2 words.')).toEqual(english);
  });
});

test('32-bit weights speak on the GPU where the page wants that, and on the CPU where that fails', async ({
  fresh,
}) => {
  await withVoices(fresh, async ({ site, page, hub, scripts }) => {
    await beginAnew(page, { hub: hub.url, speechDevice: 'webgpu' });
    for (const model of [MMS, SUPERTONIC]) {
      await page.evaluate((id) => window.v1.models.install(id), model);
    }
    const speakSpanish = () => speak(page, SUPERTONIC, 'F1', '¿Qué tal?', 'es');
    expect(await speakSpanish()).toEqual(SPANISH);
    expect(scripts).toEqual(['/engine.js', '/speech-gpu.js']);
    expect(await workOfGpu(page, speakSpanish)).toBeGreaterThan(0);
    expect(await speak(page, MMS, 'deu', 'Hallo')).toMatchObject({ rate: 16_000 });
    expect(scripts.slice(2)).toEqual(['/speech.js']);

    await page.evaluate((model) => window.v1.models.unload(model), SUPERTONIC);
    site.intercept = (request, response) => {
      if (request.url !== '/speech-gpu.wasm') return false;
      response.writeHead(404).end();
      return true;
    };
    expect(await speakSpanish()).toEqual(SPANISH);
    expect(scripts.slice(3)).toEqual(['/speech-gpu.js', '/speech.js']);
  });
});

/** How often the speech worker hands the GPU something to do meanwhile. */
async function workOfGpu(page: Page, work: () => Promise<unknown>): Promise<number> {
  const worker = page.workers().find((each) => each.url().endsWith('/speech-gpu.js'));
  if (!worker) throw new Error('Nothing speaks on the GPU.');
  const submissions = await countSubmissions(worker);
  await work();
  return submissions();
}

test('a voice whose repository lacks a file is not installed, and says which', async ({
  fresh,
}) => {
  const site = await serveTestSite('/', ['tiny-chat']);
  const page = await openPage(fresh, site.url);
  const repositories = randomVoices([], []);
  repositories.get(MMS)?.delete('tokenizer.json');
  const hub = await serveRepositories(repositories);
  try {
    await page.evaluate((url) => window.begin({ hub: url }), hub.url);
    const install = page.evaluate((id) => window.v1.models.install(id), MMS);
    await expect(install).rejects.toThrow(`${MMS} on the hub has no tokenizer.json.`);
  } finally {
    await hub.close();
    await site.close();
  }
});
