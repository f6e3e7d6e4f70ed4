import { seededRandom } from '../../../scripts/seeded-random.ts';
import { logMel } from '../../support/onnx/log-mel.ts';
import { MELS, melWhisper, STEP } from '../../support/onnx/mel-whisper.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { RATE, transcribe, wavOf } from '../support/media/hearing.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import { replaceFile, serveTestSite } from '../support/site.ts';

const MODEL = 'o/whisper-large-v3-turbo';
const SECONDS = 3;
/** Within the sound, at its end, after it, and at the end of the window. */
const FRAMES = [150, 300, 303, 2_999];
const HEADER = 44;

/** Noise under a tone that rises: something at each frequency, and not the same at any two. */
function rising(): Buffer {
  const random = seededRandom(3);
  const samples = Float32Array.from({ length: SECONDS * RATE }, (_, at) => {
    const seconds = at / RATE;
    const tone = Math.sin(2 * Math.PI * (200 + 1_200 * seconds) * seconds);
    return 0.4 * tone + 0.1 * (random() - 0.5);
  });
  return wavOf(samples);
}

function samplesOf(wav: Buffer): Float32Array {
  const values = new Int16Array(Uint8Array.from(wav.subarray(HEADER)).buffer);
  return Float32Array.from(values, (value) => value / 32_768);
}

const nameOf = (frame: number) => `${MODEL}-${frame}`;

test('a Whisper model with 128 mels, as large-v3-turbo, reads what Whisper’s definition says', async ({
  fresh,
  closing,
}) => {
  const repositories = new Map(FRAMES.map((frame) => [nameOf(frame), melWhisper(frame)]));
  const hub = closing(await serveRepositories(repositories));
  const site = closing(await serveTestSite('/', []));
  // The sound is not speech. Without the detector, its loudness distinguishes it from silence.
  site.intercept = replaceFile('/onnx-voice.onnx');
  const page = await openStarted(fresh, site.url, { hub: hub.url });
  const wav = rising();
  const right = logMel(samplesOf(wav), MELS);
  for (const frame of FRAMES) {
    const model = nameOf(frame);
    await page.evaluate((source) => window.v1.models.add(source), model);
    expect(await listed(page, model)).toMatchObject({
      task: 'transcription',
      transcription: { languages: ['en', 'yue'], translates: true },
    });
    await install(page, model);
    const { status, text } = await transcribe(page, wav, { model, language: 'en' });
    expect(status, text).toBe(200);
    const answer: { text: string } = JSON.parse(text);
    const read = answer.text.trim().split(' ').map(Number);
    expect(right[frame]).toHaveLength(MELS);
    expect(read).toHaveLength(MELS);
    for (const [mel, value] of right[frame]?.entries() ?? []) {
      const difference = Math.abs((read[mel] ?? NaN) - value);
      expect(difference, `mel ${mel} of frame ${frame}`).toBeLessThanOrEqual(0.6 * STEP);
    }
    // Without a language, the first one is as likely as the other.
    const guessed = await transcribe(page, wav, { model, response_format: 'verbose_json' });
    expect(JSON.parse(guessed.text)).toMatchObject({ language: 'english', duration: SECONDS });
  }
});
