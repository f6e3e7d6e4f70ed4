import { LEVELS, levelMoonshine } from '../../support/onnx/level-moonshine.ts';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { RATE, transcribe, wavOf, type Heard } from '../support/media/hearing.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import { replaceFile, serveTestSite } from '../support/site.ts';

interface Verbose {
  text: string;
  language: string;
  duration: number;
  segments: { start: number; end: number; text: string }[];
}

const MODEL = 'o/moonshine-tiny-ONNX';
const WORDS = Object.keys(LEVELS);
/** Seconds that each word takes, and those between two words. */
const [SAID, PAUSE] = [1.5, 1];

/** A recording of tones, one for each word. */
function tones(words: readonly string[]): Buffer {
  const each = Math.round((SAID + PAUSE) * RATE);
  const samples = new Float32Array(words.length * each);
  for (const [index, word] of words.entries()) {
    for (let at = 0; at < SAID * RATE; at++) {
      samples[index * each + at] = (LEVELS[word] ?? 0) * Math.sin((2 * Math.PI * 440 * at) / RATE);
    }
  }
  return wavOf(samples);
}

/** Each word once, however many half seconds it took. */
function collapsed(text: string): string[] {
  return text.split('.').flatMap((part) => part.trim().split(' ')[0] || []);
}

test('a Moonshine model of the hub hears a long recording window by window', async ({
  fresh,
  closing,
}) => {
  const hub = closing(
    await serveRepositories(
      new Map([
        [MODEL, levelMoonshine()],
        ['o/moonshine-tiny-ja-ONNX', levelMoonshine()],
      ]),
      {},
      { 'o/moonshine-tiny-ja-ONNX': { language: ['ja'] } },
    ),
  );
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  // Tones are not speech. Without the detector, their loudness distinguishes them from silence.
  site.intercept = replaceFile('/onnx-voice.onnx');
  const page = await openStarted(fresh, site.url, { hub: hub.url });
  const add = (id: string) => page.evaluate((source) => window.v1.models.add(source), id);
  await add(MODEL);
  await add('o/moonshine-tiny-ja-ONNX');
  expect(await listed(page, MODEL)).toMatchObject({
    task: 'transcription',
    state: 'available',
    transcription: { languages: ['en'], translates: false, timesWords: false },
  });
  expect(await listed(page, 'o/moonshine-tiny-ja-ONNX')).toMatchObject({
    transcription: { languages: ['ja'] },
  });
  await install(page, MODEL);

  const words = Array.from({ length: 40 }, (_, index) => WORDS[(index * 3) % WORDS.length] ?? '');
  const file = tones(words);
  const hear = (fields: Record<string, string> = {}, path?: string): Promise<Heard> =>
    transcribe(page, file, { model: MODEL, ...fields }, path);
  const { status, text } = await hear({ response_format: 'verbose_json' });
  expect(status, text).toBe(200);
  const heard: Verbose = JSON.parse(text);
  expect(collapsed(heard.text)).toEqual(words);
  expect(heard).toMatchObject({ language: 'english', duration: words.length * (SAID + PAUSE) });
  // A word is three or four half seconds: if a part of one were heard twice, there would be more.
  expect(heard.text).not.toMatch(/(\w+)( \1){4}/);
  expect(heard.segments.length).toBeGreaterThan(3);
  for (const [index, { start, end }] of heard.segments.entries()) {
    expect(end - start).toBeLessThanOrEqual(32);
    expect(start).toBeGreaterThanOrEqual(heard.segments[index - 1]?.end ?? 0);
    // Each window ends in a pause.
    if (index < heard.segments.length - 1) {
      expect(end % (SAID + PAUSE)).toBeGreaterThan(SAID);
    }
  }
  const { text: srt } = await hear({ response_format: 'srt' });
  expect(srt.match(/ --> /g)).toHaveLength(heard.segments.length);

  const times = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
  for (const [refused, fields, path] of [
    ['timestamp_granularities', times, undefined],
    ['language', { language: 'de' }, undefined],
    ['model', {}, 'audio/translations'],
  ] as const) {
    const answer = await hear(fields, path);
    expect(answer.status, answer.text).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { param: refused } });
  }

  await hub.close();
  await restart(page, { hub: hub.url });
  expect(collapsed(JSON.parse((await hear()).text).text)).toEqual(words);
});
