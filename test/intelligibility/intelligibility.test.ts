import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build/stamp.ts';
import { expect, openPage, test } from '../browser/support/fixtures.ts';
import { KOKORO, serveTestSite } from '../browser/support/site.ts';
import { recognise, wordErrorRate } from './recogniser.ts';

/** Without figures and names, so that the recogniser writes all words as they are spoken. */
const SENTENCES = [
  'The weather is very nice today.',
  'Please open the window and let some fresh air in.',
  'She was reading a book in the garden.',
  'We will meet again at the station tomorrow morning.',
  'The children are playing in the park.',
  'He put the keys on the table and left the house.',
  'It is important to drink enough water every day.',
  'The train to the city leaves in ten minutes.',
  'My brother works in a large hospital.',
  'Thank you very much for your help.',
];

/** The highest acceptable word error rate. */
const MAX_ERROR_RATE = 0.2;

test('a speech recogniser understands what Kokoro says', async ({ fresh }) => {
  const site = await serveTestSite('/', ['kokoro-82m']);
  const folder = join(ROOT, 'test-results/intelligibility');
  mkdirSync(folder, { recursive: true });
  try {
    const page = await openPage(fresh, site.url);
    await page.evaluate(() => window.begin());
    const files: string[] = [];
    for (const [index, input] of SENTENCES.entries()) {
      const pcm = await page.evaluate(
        async (body) => {
          const response = await window.client.audio.speech.create(body);
          const file = await response.arrayBuffer();
          // Decoding resamples the sound to the context's rate, which the recogniser needs.
          const sound = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(file);
          return Array.from(sound.getChannelData(0), (sample) => Math.round(sample * 32_767));
        },
        { model: KOKORO, voice: 'af_heart', input },
      );
      const path = join(folder, `${index}.raw`);
      writeFileSync(path, Int16Array.from(pcm));
      files.push(path);
    }
    const heard = recognise(files);
    const rates = SENTENCES.map((said, index) => wordErrorRate(said, heard[index] ?? ''));
    SENTENCES.forEach((said, index) => {
      process.stdout.write(`${rates[index]?.toFixed(2)}  ${said}\n      ${heard[index]}\n`);
    });
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    process.stdout.write(`word error rate: ${mean.toFixed(3)}\n`);
    expect(mean).toBeLessThanOrEqual(MAX_ERROR_RATE);
  } finally {
    await site.close();
  }
});
