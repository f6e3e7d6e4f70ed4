import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build/stamp.ts';
import { expect, openPage, test } from '../browser/support/fixtures.ts';
import { KOKORO, PIPER, serveTestSite } from '../browser/support/site.ts';
import { speechFile } from '../browser/support/media/speech-file.ts';
import { HAS_FFPROBE, NO_FFPROBE, probe } from '../support/sound/ffprobe.ts';
import { longestClip, loudness, pitchRatio, wavSamples } from '../support/sound/sound.ts';
import { recognise, wordErrorRate } from './recogniser.ts';

const SENTENCE = 'My brother works in a large hospital near the old station.';
/** The relative error that a duration or a pitch may have. */
const TOLERANCE = 0.03;

test('at any speed, Kokoro’s voice keeps its pitch and has the right duration', async ({
  fresh,
}) => {
  const site = await serveTestSite('/', ['kokoro-82m']);
  try {
    const page = await openPage(fresh, site.url);
    await page.evaluate(() => window.begin());
    for (const voice of ['af_heart', 'bm_george']) {
      const speak = async (speed: number) => {
        const body = { model: KOKORO, voice, input: SENTENCE, speed };
        const { samples, rate } = wavSamples(await speechFile(page, body));
        return { samples, rate, seconds: samples.length / rate };
      };
      const usual = await speak(1);
      for (const speed of [0.25, 0.5, 2, 4]) {
        const { samples, rate, seconds } = await speak(speed);
        const length = (seconds * speed) / usual.seconds;
        const tone = pitchRatio(samples, usual.samples, rate, speed);
        const level = loudness(samples);
        const figures = [speed, seconds, length, tone, level].map((it) => it.toFixed(3));
        process.stdout.write(`${voice}  ${figures.join('  ')}\n`);
        expect(Math.abs(length - 1)).toBeLessThan(TOLERANCE);
        expect(Math.abs(tone - 1)).toBeLessThan(TOLERANCE);
        expect(level).toBeGreaterThan(0.03);
        expect(level).toBeLessThan(0.3);
        expect(longestClip(samples)).toBeLessThan(3);
      }
    }
  } finally {
    await site.close();
  }
});

for (const [format, codec] of [
  ['wav', 'pcm_s16le'],
  ['mp3', 'mp3'],
] as const) {
  test(`ffprobe agrees with the format of Kokoro’s ${format}`, async ({ fresh }) => {
    test.skip(!HAS_FFPROBE, NO_FFPROBE);
    const site = await serveTestSite('/', ['kokoro-82m']);
    try {
      const page = await openPage(fresh, site.url);
      await page.evaluate(() => window.begin());
      const body = { model: KOKORO, voice: 'af_heart', input: SENTENCE, response_format: format };
      const found = probe(await speechFile(page, body));
      expect(found).toMatchObject({ codec, rate: 24_000, channels: 1 });
      expect(Math.abs(found.seconds - found.decodedSeconds)).toBeLessThan(0.1);
    } finally {
      await site.close();
    }
  });
}

/** A sentence that the recogniser understands. */
const LAST = 'The children are playing in the park.';
/** The most characters that a request may have. */
const MAX_CHARACTERS = 4_096;

for (const { pack, model, voice } of [
  { pack: 'test-piper', model: PIPER, voice: 'joe' },
  { pack: 'kokoro-82m', model: KOKORO, voice: 'af_heart' },
]) {
  test(`4,096 characters are spoken to the last word by ${pack}`, async ({ fresh }) => {
    const site = await serveTestSite('/', [pack]);
    const folder = join(ROOT, 'test-results/intelligibility');
    mkdirSync(folder, { recursive: true });
    try {
      const page = await openPage(fresh, site.url);
      await page.evaluate(() => window.begin());
      const filler = 'We walked along the river, and nobody said a word. '.repeat(100);
      const input =
        filler.slice(0, MAX_CHARACTERS - LAST.length - 2).replace(/\w*\W*$/, '. ') + LAST;
      expect(input.length).toBeLessThanOrEqual(MAX_CHARACTERS);
      const padded = input.padStart(MAX_CHARACTERS, ' ');
      const { pcm, seconds } = await page.evaluate(
        async (body) => {
          const response = await window.client.audio.speech.create(body);
          const file = await response.arrayBuffer();
          const sound = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(file);
          const end = sound.getChannelData(0).slice(-4 * 16_000);
          return {
            pcm: Array.from(end, (sample) => Math.round(sample * 32_767)),
            seconds: sound.duration,
          };
        },
        { model, voice, input: padded },
      );
      const path = join(folder, `last-${voice}.raw`);
      writeFileSync(path, Int16Array.from(pcm));
      const [heard = ''] = recognise([path]);
      process.stdout.write(`${seconds.toFixed(1)} s, ending: ${heard}\n`);
      // No voice speaks more than 25 characters a second.
      expect(seconds).toBeGreaterThan(MAX_CHARACTERS / 25);
      expect(wordErrorRate(LAST, heard.split(' ').slice(-7).join(' '))).toBeLessThanOrEqual(0.5);
      expect(heard).toMatch(/park$/);
    } finally {
      await site.close();
    }
  });
}
