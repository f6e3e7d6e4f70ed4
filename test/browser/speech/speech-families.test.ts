import type { Page } from 'playwright/test';
import { randomVoices, SAMPLES } from '../../support/onnx/random-voices.ts';
import { expect, openStarted, restart, test as base, type TestSite } from '../support/fixtures.ts';
import { countSubmissions } from '../support/browser/gpu.ts';
import { install, listed, unload } from '../support/models.ts';
import { serveRepositories, type RepositoryHub } from '../support/hub/repositories.ts';
import { replaceFile, serveTestSite } from '../support/site.ts';
import { workersOf } from '../support/browser/tabs.ts';

const MMS = 'Xenova/mms-tts-deu';
const SPEECHT5 = 'Xenova/speecht5_tts';
const SUPERTONIC = 'onnx-community/Supertonic-TTS-2-ONNX';

/** `<es>¿Qué tal?</es>`: 18 tokens of a tenth of a second each, at the authors' speed. */
const SPANISH = {
  rate: 44_100,
  samples: expect.closeTo(((18 * 0.1) / 1.05) * 44_100, -1),
  isSilent: false,
};

/** Speaks with the openai package; resolves with the WAV file's format and samples, or with the error. */
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

interface Voices {
  site: TestSite;
  /** The API runs here with an empty hub, until the test restarts it. */
  page: Page;
  /** Has all voices of the catalog, with random weights. */
  hub: RepositoryHub;
  /** One of SpeechT5's voices. */
  speaker: string;
  /** Paths of the scripts that the page's workers run from now on. */
  scripts: string[];
}

const test = base.extend<{ voices: Voices }>({
  voices: async ({ fresh, closing }, use) => {
    const site = closing(await serveTestSite('/', ['tiny-chat']));
    const empty = closing(await serveRepositories(new Map()));
    const page = await openStarted(fresh, site.url, { hub: empty.url });
    const [speakers, styles] = [await voicesOf(page, SPEECHT5), await voicesOf(page, SUPERTONIC)];
    const hub = closing(await serveRepositories(randomVoices(speakers, styles)));
    const scripts: string[] = [];
    page.on('worker', (worker) => scripts.push(new URL(worker.url()).pathname));
    await use({ site, page, hub, speaker: speakers[0] ?? '', scripts });
  },
});

test.describe.configure({ timeout: 240_000 });

/** Ids of a model's voices in the catalog. */
async function voicesOf(page: Page, model: string): Promise<string[]> {
  return (await listed(page, model))?.speech?.voices.map(({ id }) => id) ?? [];
}

// The weights are random, so these tests cannot say how a voice sounds.
test('voices of each family are downloaded from the hub, get the right text, and speak offline', async ({
  voices: { page, hub, speaker, scripts },
}) => {
  await restart(page, { hub: hub.url });
  expect(await speak(page, MMS, 'deu', 'Hallo')).toMatch(/404 .* is not installed/);
  for (const model of [MMS, SPEECHT5, SUPERTONIC]) await install(page, model);
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([MMS, SPEECHT5, SUPERTONIC]));

  // A blank around each of the 13 characters; the vocabulary has no punctuation.
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

  // By default, a GPU that runs on the CPU is not used.
  expect(scripts).toEqual(['/engine.js', ...Array.from({ length: 3 }, () => '/onnx.js')]);

  await hub.close();
  await restart(page, { hub: hub.url });
  expect(await speak(page, MMS, 'deu', 'Grüße an „alle“!')).toEqual(german);
  expect(await speak(page, SPEECHT5, speaker, '2 words.')).toEqual(english);
});

test('32-bit weights speak on the GPU if the page asks for it, and on the CPU if the GPU fails', async ({
  voices: { site, page, hub, scripts },
}) => {
  await restart(page, { hub: hub.url, speechDevice: 'webgpu' });
  for (const model of [MMS, SUPERTONIC]) await install(page, model);
  const speakSpanish = () => speak(page, SUPERTONIC, 'F1', '¿Qué tal?', 'es');
  expect(await speakSpanish()).toEqual(SPANISH);
  expect(scripts).toEqual(['/engine.js', '/onnx-gpu.js']);
  expect(await submissionsDuring(page, speakSpanish)).toBeGreaterThan(0);
  expect(await speak(page, MMS, 'deu', 'Hallo')).toMatchObject({ rate: 16_000 });
  expect(scripts.slice(2)).toEqual(['/onnx.js']);

  await unload(page, SUPERTONIC);
  site.intercept = replaceFile('/onnx-gpu.wasm');
  expect(await speakSpanish()).toEqual(SPANISH);
  expect(scripts.slice(3)).toEqual(['/onnx-gpu.js', '/onnx.js']);
});

/** How often the speech worker submits work to the GPU. */
async function submissionsDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const [worker] = workersOf(page, 'onnx-gpu.js');
  if (!worker) throw new Error('The page has no speech worker for the GPU.');
  const submissions = await countSubmissions(worker);
  await work();
  return submissions();
}

test('a voice whose repository lacks a file is not installed, and the error names the file', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const repositories = randomVoices([], []);
  repositories.get(MMS)?.delete('tokenizer.json');
  const hub = closing(await serveRepositories(repositories));
  const page = await openStarted(fresh, site.url, { hub: hub.url });
  await expect(install(page, MMS)).rejects.toThrow(`${MMS} on the hub has no tokenizer.json.`);
});
