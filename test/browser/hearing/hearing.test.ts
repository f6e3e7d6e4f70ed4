import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { say } from '../support/chat.ts';
import { expect, openStarted, restart } from '../support/fixtures.ts';
import {
  flacOf,
  mp3Of,
  phrases,
  recording,
  said,
  RATE,
  soundOf,
  test,
  wavOf,
  transcribe,
  type Heard,
} from '../support/media/hearing.ts';
import { install, listed } from '../support/models.ts';
import { packFiles } from '../support/hub/pack-files.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import { PACKS, RECOGNISER, serveTestSite, TINY } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

declare global {
  interface Window {
    /** Called when the first text has arrived. */
    heardFirst(): void;
  }
}

interface Verbose {
  text: string;
  language: string;
  duration: number;
  segments: { start: number; end: number; text: string; tokens: number[]; seek: number }[];
  words: { word: string; start: number; end: number }[];
}

const [phrase] = phrases;
if (!phrase) throw new Error('There is no phrase.');

/** Half a minute lies between the phrases, so each is in a window of its own. */
const AT = [1, 36, 71];
const long = recording(
  80,
  AT.flatMap((at, index) => {
    const each = phrases[index];
    return each ? [{ at, phrase: each }] : [];
  }),
);
const wholeText = phrases
  .slice(0, AT.length)
  .map(({ text }) => text)
  .join(' ');

function textOf({ status, text }: Heard): string {
  expect(status, text).toBe(200);
  const { text: heard }: { text: string } = JSON.parse(text);
  return heard;
}

test('voices that were not in the training are understood', async ({ hearing }) => {
  expect(phrases.length).toBeGreaterThanOrEqual(4);
  for (const each of phrases) {
    expect(textOf(await transcribe(hearing, said(each), { language: 'en' }))).toBe(each.text);
  }
});

test('the language is found out, and the words have their times', async ({ hearing }) => {
  const { text } = await transcribe(hearing, recording(6, [{ at: 2, phrase }]), {
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'word',
  });
  const heard: Verbose = JSON.parse(text);
  expect(heard).toMatchObject({ language: 'english', duration: 6, text: phrase.text });
  expect(heard.words.map(({ word }) => word)).toEqual(phrase.text.split(' '));
  for (const [index, [start]] of phrase.words.entries()) {
    expect(Math.abs((heard.words[index]?.start ?? 99) - (2 + start))).toBeLessThan(0.5);
  }
});

test('a long recording is read window by window: nothing is lost or doubled', async ({
  hearing,
}) => {
  const { text } = await transcribe(hearing, long, { response_format: 'verbose_json' });
  const heard: Verbose = JSON.parse(text);
  expect(heard).toMatchObject({ duration: 80, text: wholeText });
  for (const [index, at] of AT.entries()) {
    const { start = 0, end = 0 } = heard.segments[index] ?? {};
    expect(Math.abs(start - at)).toBeLessThan(0.7);
    expect(end).toBeLessThan(at + (phrases[index]?.seconds ?? 0) + 1);
  }
  const { text: srt } = await transcribe(hearing, long, { response_format: 'srt' });
  expect(srt.match(/^\d+\n00:0\d:\d\d,\d{3} --> /gm)).toHaveLength(3);
});

test('no window of a recording full of speech is left out', async ({ hearing }) => {
  const parts: { at: number; phrase: typeof phrase }[] = [];
  for (let at = 1; at < 85; at += (parts.at(-1)?.phrase.seconds ?? 0) + 1) {
    const next = phrases[parts.length % phrases.length];
    if (next) parts.push({ at, phrase: next });
  }
  const words = parts.flatMap(({ phrase: { text } }) => text.split(' '));
  const heard = textOf(await transcribe(hearing, recording(88, parts), { language: 'en' }));
  expect(Math.abs(heard.split(' ').length / words.length - 1)).toBeLessThan(0.1);
});

test('the openai package streams the text while the recording is read', async ({ hearing }) => {
  const events = await hearing.evaluate(
    async ([base64, model]) => {
      const file = new File([await (await fetch(`data:;base64,${base64}`)).blob()], 'a.wav');
      const request = { file, model, stream: true as const };
      const stream = await window.client.audio.transcriptions.create(request);
      const all: { type: string; at: number; text: string }[] = [];
      for await (const event of stream) {
        const text = 'delta' in event ? event.delta : 'text' in event ? event.text : '';
        all.push({ type: event.type, at: performance.now(), text });
      }
      return all;
    },
    [long.toString('base64'), RECOGNISER] as const,
  );
  const deltas = events.filter(({ type }) => type === 'transcript.text.delta');
  expect(deltas.map(({ text }) => text).join('')).toBe(wholeText);
  expect(deltas).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: wholeText });
  expect(events.at(-1)?.at).toBeGreaterThan(deltas[0]?.at ?? Infinity);
});

test('files of other kinds are decoded', async ({ hearing }) => {
  const files = new Map([
    ['flac', flacOf(phrase)],
    ['mp3', await mp3Of(phrase)],
  ]);
  await hearing.addScriptTag({ url: 'sounds.js', type: 'module' });
  await hearing.waitForFunction(() => 'encodeSound' in window);
  for (const kind of ['webm', 'ogg', 'm4a'] as const) {
    const base64 = await hearing.evaluate(
      async ([wav, file]) => {
        const sound = await (await fetch(`data:;base64,${wav}`)).blob();
        const encoded = await window.encodeSound(sound, file);
        if (!encoded) throw new Error(`This browser does not encode ${file}.`);
        const bytes = new Uint8Array(await encoded.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      },
      [said(phrase).toString('base64'), kind] as const,
    );
    files.set(kind, Buffer.from(base64, 'base64'));
  }
  for (const [kind, file] of files) {
    expect(textOf(await transcribe(hearing, file, { language: 'en' })), kind).toBe(phrase.text);
  }
});

test('silence has no text, and a chat goes on beside a transcription', async ({ hearing }) => {
  const silence = transcribe(hearing, recording(100, []));
  expect(await say(hearing, 'Say blue.')).toBe('blue');
  expect(textOf(await silence)).toBe('');
});

test('noise is not heard, and what is said after it is', async ({ hearing }) => {
  const random = seededRandom(3);
  const noise = (seconds: number, level: number) => {
    let low = 0;
    return Float32Array.from({ length: seconds * RATE }, (_, index) => {
      const white = random() - 0.5;
      low = 0.98 * low + 0.1 * white;
      // White noise, brown noise, and mains hum.
      const kind = Math.floor(index / (10 * RATE)) % 3;
      const hum = Math.sin((2 * Math.PI * 50 * index) / RATE) / 3;
      return level * ([white, 3 * low][kind] ?? hum + white / 5);
    });
  };
  for (const level of [0.02, 0.2]) {
    const { text: events } = await transcribe(hearing, wavOf(noise(60, level)), { stream: 'true' });
    expect(events).toContain('"text":""');
    // The model was not asked.
    expect(events).toContain('"total_tokens":0');
  }
  const mixed = noise(40, 0.02);
  for (const [index, sample] of soundOf(phrase).entries()) {
    const at = 33 * RATE + index;
    mixed[at] = (mixed[at] ?? 0) + sample;
  }
  const { text } = await transcribe(hearing, wavOf(mixed), {
    language: 'en',
    response_format: 'verbose_json',
  });
  const heard: Verbose = JSON.parse(text);
  expect(heard.text).toBe(phrase.text);
  expect(Math.abs((heard.segments[0]?.start ?? 0) - 33)).toBeLessThan(1);
});

test('an abort ends it, and the model is free for the next request', async ({ hearing }) => {
  const deltas = await hearing.evaluate(
    async ([base64, model]) => {
      const file = new File([await (await fetch(`data:;base64,${base64}`)).blob()], 'a.wav');
      const controller = new AbortController();
      const request = { file, model, stream: true as const };
      const options = { signal: controller.signal };
      const stream = await window.client.audio.transcriptions.create(request, options);
      let count = 0;
      for await (const event of stream) {
        if (event.type === 'transcript.text.delta') count++;
        controller.abort();
      }
      return count;
    },
    [long.toString('base64'), RECOGNISER] as const,
  );
  expect(deltas).toBe(1);
  expect(textOf(await transcribe(hearing, said(phrase)))).toBe(phrase.text);
});

test('what is no recording is a clear 400', async ({ hearing }) => {
  for (const file of [
    Buffer.alloc(0),
    Buffer.from('<!doctype html><p>Not found'),
    said(phrase).subarray(0, 30),
  ]) {
    const { status, text } = await transcribe(hearing, file);
    expect(status, text).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { param: 'file' } });
  }
  const { status, text } = await transcribe(hearing, said(phrase), { model: TINY });
  expect(status).toBe(400);
  expect(text).toContain(RECOGNISER);
  // A cut recording is heard up to the cut.
  expect((await transcribe(hearing, said(phrase).subarray(0, 40_000))).status).toBe(200);
});

test('nothing of what was said is in storage', async ({ hearing }) => {
  expect(textOf(await transcribe(hearing, said(phrase)))).toBe(phrase.text);
  expect(await placesWithText(hearing, phrase.text)).toEqual([]);
});

test('a model of the hub is added, installed and used, also without the hub', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const folder = PACKS['tiny-hear'] ?? '';
  const files = packFiles('tiny-hear').map(
    ({ path }) => [path, readFileSync(join(folder, path))] as const,
  );
  const hub = closing(await serveRepositories(new Map([['o/whisper', new Map(files)]])));
  const page = await openStarted(fresh, site.url, { hub: hub.url });
  await page.evaluate(() => window.v1.models.add('o/whisper'));
  expect(await listed(page, 'o/whisper')).toMatchObject({
    task: 'transcription',
    state: 'available',
    transcription: { translates: true },
  });
  await install(page, 'o/whisper');
  const fields = { model: 'o/whisper', language: 'en' };
  expect(textOf(await transcribe(page, said(phrase), fields))).toBe(phrase.text);
  await hub.close();
  await restart(page, { hub: hub.url });
  expect(textOf(await transcribe(page, said(phrase), fields))).toBe(phrase.text);
});

for (const [hosts, options] of [
  ['engine', {}],
  ['worker of an engine that outlives it', { outlive: true }],
] as const)
  test(`a tab that hosts the ${hosts} may close in the middle`, async ({ fresh, hearingSite }) => {
    const leader = await openStarted(fresh, hearingSite.url, options);
    const page = await openStarted(fresh, hearingSite.url, options);
    const first = Promise.withResolvers<void>();
    await page.exposeFunction('heardFirst', () => first.resolve());
    const text = page.evaluate(
      async ([base64, model]) => {
        const file = new File([await (await fetch(`data:;base64,${base64}`)).blob()], 'a.wav');
        const request = { file, model, stream: true as const };
        const stream = await window.client.audio.transcriptions.create(request);
        let whole = '';
        for await (const event of stream) {
          if (event.type !== 'transcript.text.delta') continue;
          whole += event.delta;
          window.heardFirst();
        }
        return whole;
      },
      [long.toString('base64'), RECOGNISER] as const,
    );
    await first.promise;
    await leader.close();
    expect(await text).toBe(wholeText);
  });
