import type { Page } from 'playwright/test';
import { WavFile } from '../../src/engine/onnx/speech/sound/wav-file.ts';
import { withUndebugged } from '../browser/support/browser/undebugged.ts';
import { expect, openStarted, test } from '../browser/support/fixtures.ts';
import { phrases, RATE, soundOf, test as hearingTest } from '../browser/support/media/hearing.ts';
import { embeddingCases, test as searchingTest } from '../browser/support/searching.ts';
import { EMBEDDER, RECOGNISER } from '../browser/support/site.ts';
import { measureMemory } from './memory.ts';

const MAX_GROWTH = 0.05;
const TEXTS = 10_000;
const FILES = 10_000;
const FILES_AT_ONCE = 100;
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

test(`memory after ${FILES} stored files is as before`, async ({ site }) => {
  // Playwright's record of requests would grow with each file, by more than all that is stored of it in memory.
  await withUndebugged(async (context) => {
    const page = await openStarted(context, site.url, { files: true });
    const store = (count: number) => page.evaluate(storeFiles, [count, FILES_AT_ONCE] as const);
    await expectNoGrowth(
      page,
      () => store(500),
      async () => {
        const { left, ms } = await store(FILES);
        expect(left).toEqual([0, 0]);
        const [first, last] = [ms.slice(0, 10), ms.slice(-10)].map(
          (some) => some.reduce((sum, each) => sum + each, 0) / some.length,
        );
        process.stdout.write(
          `a file takes ${first?.toFixed(1)} ms at first, ${last?.toFixed(1)} ms at last\n`,
        );
      },
    );
  });
});

/** Runs in the page: stores, indexes, finds and deletes files. @returns what is left, and milliseconds a file */
async function storeFiles([most, atOnce]: readonly [number, number]) {
  const { vectorStores, files } = window.client;
  const { id } = await vectorStores.create({ embedding_model: null } as object);
  const ms: number[] = [];
  for (let done = 0; done < most; done += atOnce) {
    const begun = performance.now();
    const stored = await Promise.all(
      Array.from({ length: atOnce }, (_, place) => {
        const text = `Note ${done + place}: the word is word${done + place}. `.repeat(20);
        return files.create({ file: new File([text], 'note.txt'), purpose: 'assistants' });
      }),
    );
    const ids = stored.map((file) => file.id);
    const batch = await vectorStores.fileBatches.createAndPoll(id, { file_ids: ids });
    if (batch.file_counts.completed !== atOnce) throw new Error('Not all files are indexed.');
    const { data } = await vectorStores.search(id, { query: `word${done + 7}` });
    if (data[0]?.file_id !== ids[7]) throw new Error(`File ${done + 7} was not found.`);
    await Promise.all(ids.map((file) => files.delete(file)));
    ms.push((performance.now() - begun) / atOnce);
  }
  const { file_counts: counts, usage_bytes: bytes } = await vectorStores.retrieve(id);
  await vectorStores.delete(id);
  return { left: [counts.total, bytes], ms };
}

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
