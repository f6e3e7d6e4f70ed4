import type { Page } from 'playwright/test';
import { WavFile } from '../../src/engine/onnx/speech/sound/wav-file.ts';
import { expect, openStarted, test } from '../browser/support/fixtures.ts';
import { phrases, RATE, soundOf, test as hearingTest } from '../browser/support/media/hearing.ts';
import { embeddingCases, test as searchingTest } from '../browser/support/searching.ts';
import { EMBEDDER, RECOGNISER } from '../browser/support/site.ts';
import { measureMemory } from './memory.ts';

const MAX_GROWTH = 0.05;
const TEXTS = 10_000;
const FILES = 10_000;
const MINUTES = 60;
/** The text of a minute has more characters than this. */
const LEAST_CHARACTERS = 50;

searchingTest(`memory after ${TEXTS} embeddings is as before`, async ({ fresh, retrievalSite }) => {
  const page = await openStarted(fresh, retrievalSite.url);
  const texts = embeddingCases.paraphrases.flatMap(({ text, paraphrase }) => [text, paraphrase]);
  const embed = (count: number) =>
    page.evaluate(
      async ([model, all, most]) => {
        for (let done = 0; done < most; done += 2_000) {
          const input = Array.from({ length: Math.min(2_000, most - done) }, (_, place) => {
            // One text to twenty of them, so that batches differ.
            const from = (done + place) % all.length;
            return `${done + place} ${all.slice(from, from + 1 + (place % 20)).join(' ')}`;
          });
          await window.client.embeddings.create({ model, input });
        }
      },
      [EMBEDDER, texts, count] as const,
    );
  await expectNoGrowth(
    page,
    () => embed(2_000),
    () => embed(TEXTS),
  );
});

test(`memory after ${FILES} stored files is as before`, async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, { files: true });
  const store = (count: number) =>
    page.evaluate(async (most) => {
      const { vectorStores, files } = window.client;
      const { id } = await vectorStores.create({ embedding_model: null } as object);
      const one = async (at: number) => {
        const text = `Note ${at}: the word is word${at}. `.repeat(20);
        const file = await vectorStores.files.uploadAndPoll(id, new File([text], `${at}.txt`));
        const { data } = await vectorStores.search(id, { query: `word${at}` });
        if (data[0]?.file_id !== file.id) throw new Error(`File ${at} was not found.`);
        await vectorStores.files.list(id, { limit: 10 });
        await files.delete(file.id);
      };
      const worker = async (first: number) => {
        for (let at = first; at < most; at += 32) await one(at);
      };
      await Promise.all(Array.from({ length: 32 }, (_, first) => worker(first)));
      const { file_counts: counts, usage_bytes: bytes } = await vectorStores.retrieve(id);
      await vectorStores.delete(id);
      return [counts.total, bytes];
    }, count);
  await expectNoGrowth(
    page,
    () => store(500),
    async () => expect(await store(FILES)).toEqual([0, 0]),
  );
});

hearingTest(
  `memory after ${MINUTES} minutes of speech is as before`,
  async ({ fresh, hearingSite }) => {
    const page = await openStarted(fresh, hearingSite.url);
    const minute = minuteOfSpeech();
    const transcribe = (minutes: number) => {
      const file = new WavFile(RATE);
      let bytes: Uint8Array = new Uint8Array();
      for (let done = 0; done < minutes; done++) bytes = file.encode(minute);
      const header = Buffer.from(file.finish().header).toString('base64');
      return page.evaluate(
        async ([head, part, count, model]) => {
          const blobOf = async (base64: string) => (await fetch(`data:;base64,${base64}`)).blob();
          const sound = await blobOf(part);
          const parts = [await blobOf(head), ...Array.from({ length: count }, () => sound)];
          const request = { file: new File(parts, 'a.wav'), model, stream: true as const };
          let length = 0;
          for await (const event of await window.client.audio.transcriptions.create(request)) {
            if (event.type === 'transcript.text.done') length = event.text.length;
          }
          return length;
        },
        [header, Buffer.from(bytes).toString('base64'), minutes, RECOGNISER] as const,
      );
    };
    await expectNoGrowth(
      page,
      () => transcribe(1),
      async () => {
        // Silence would be no load.
        expect(await transcribe(MINUTES)).toBeGreaterThan(LEAST_CHARACTERS * MINUTES);
      },
    );
  },
);

function minuteOfSpeech(): Float32Array {
  const samples = new Float32Array(60 * RATE);
  let at = RATE;
  for (let place = 0; at < samples.length - 3 * RATE; place++) {
    const phrase = phrases[place % phrases.length];
    if (!phrase) break;
    const sound = soundOf(phrase);
    samples.set(sound, at);
    at += sound.length + RATE;
  }
  return samples;
}

async function expectNoGrowth(
  page: Page,
  warmUp: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const measure = async () => (await measureMemory(page, page, () => Promise.resolve())).renderers;
  await warmUp();
  const before = await measure();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  process.stdout.write(
    `before ${(before / 1e6).toFixed(1)} MB; work took ${seconds.toFixed(0)} s\n`,
  );
  let after = Infinity;
  try {
    // An idle worker that has grown is replaced after a few seconds.
    await expect
      .poll(async () => (after = await measure()), { timeout: 60_000 })
      .toBeLessThanOrEqual(before * (1 + MAX_GROWTH));
  } finally {
    process.stdout.write(`after ${(after / 1e6).toFixed(1)} MB\n`);
  }
}
