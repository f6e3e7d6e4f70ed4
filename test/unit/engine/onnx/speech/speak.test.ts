import { expect, test, vi } from 'vitest';
import type { SpeakEvent } from '../../../../../src/core/operations/events/events.ts';
import type { SpeakJob } from '../../../../../src/core/operations/jobs/jobs.ts';
import { speak, symbolPieces } from '../../../../../src/engine/onnx/speech/speak.ts';
import { textToPhonemes } from '../../../../../src/engine/onnx/speech/text-to-phonemes.ts';
import type { VoiceModel } from '../../../../../src/engine/onnx/speech/voices/voice-model.ts';
import { WavFile } from '../../../../../src/engine/onnx/speech/sound/wav-file.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock(
  '../../../../../src/engine/onnx/speech/load-english.ts',
  () => import('../../../support/bundled-english.ts'),
);

const RATE = 24_000;
const noFiles = () => Promise.resolve(undefined);

const job = (text: string, rest: Partial<SpeakJob> = {}): SpeakJob => ({
  op: 'speak',
  model: 'm',
  text,
  voice: 'v',
  language: 'en-US',
  speed: 1,
  format: 'wav',
  ...rest,
});

/** A model that gives a tenth of a second of sound for each call, and records its calls. */
function model(calls: string[]): VoiceModel {
  return {
    maxSymbols: 100,
    frontEnd: (language) => textToPhonemes(language, noFiles),
    synthesize: (symbols, voice) => {
      calls.push(`${symbols} ${voice}`);
      return Promise.resolve(
        Float32Array.from({ length: RATE / 10 }, (_, at) => Math.sin(at / 20)),
      );
    },
    dispose: () => Promise.resolve(),
  };
}

async function open(calls: string[]) {
  const frontEnd = await textToPhonemes('en-US', noFiles);
  return { model: model(calls), frontEnd, file: new WavFile(RATE), sampleRate: RATE };
}

const secondsOf = (events: SpeakEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'spoken' ? last.seconds : undefined;
};

test('each sentence is one call and one event, and the last event has the duration', async () => {
  const calls: string[] = [];
  const events = await Array.fromAsync(speak(job('One. Two. Three.'), await open(calls), NEVER));
  expect(calls).toHaveLength(3);
  expect(events.map(({ type }) => type)).toEqual(['audio', 'audio', 'audio', 'spoken']);
  expect(secondsOf(events)).toBeCloseTo(3 * 0.1 + 2 * 0.1, 3);
});

test.each([0.25, 0.5, 2, 4])('at speed %s the duration is divided by the speed', async (speed) => {
  const events = await Array.fromAsync(speak(job('One. Two.', { speed }), await open([]), NEVER));
  expect(secondsOf(events)).toBeCloseTo(0.3 / speed, 3);
});

test('at another sample rate, it takes as long', async () => {
  const wanted = job('One. Two.', { format: 'pcm', sampleRate: 16_000 });
  const events = await Array.fromAsync(speak(wanted, await open([]), NEVER));
  expect(secondsOf(events)).toBeCloseTo(0.3, 3);
  const bytes = events.map((event) => (event.type === 'audio' ? event.bytes.length : 0));
  // The WAV file of the test has a header.
  expect(bytes.reduce((sum, each) => sum + each) - 44).toBeCloseTo(0.3 * 16_000 * 2, -1);
});

test('an abort takes effect before the next sentence', async () => {
  const calls: string[] = [];
  const controller = new AbortController();
  const events = speak(job('One. Two. Three.'), await open(calls), controller.signal);
  await events.next();
  controller.abort(new Error('enough'));
  await expect(events.next()).rejects.toThrow('enough');
  expect(calls).toHaveLength(1);
});

test('nothing of a long sentence is left out, and no call gets more than the model takes', async () => {
  const frontEnd = await textToPhonemes('en-US', noFiles);
  const words = Array.from({ length: 200 }, (_, at) => `word${at % 7 ? '' : ','}`).join(' ');
  const pieces = symbolPieces(job(`${words}.`), frontEnd, 100);
  expect(pieces.every((piece) => Array.from(piece).length <= 100)).toBe(true);
  const letters = (given: string) => given.replace(/[^\p{L}ˈˌ]/gu, '');
  expect(letters(pieces.join(''))).toBe(letters(frontEnd.symbols(frontEnd.normalize(`${words}.`))));
});

test.each(['Hello 你好', 'Привет', '٣'])(
  'letters without a sound in the language are refused by name: %s',
  async (input) => {
    const events = speak(job(input), await open([]), NEVER);
    const letter = Array.from(input).at(-1);
    await expect(events.next()).rejects.toThrow('cannot speak: “');
    await expect(speak(job(input), await open([]), NEVER).next()).rejects.toThrow(`“${letter}”`);
  },
);

test.each(['…', '😀', ' ?! '])('a text without anything to speak is refused: %s', async (input) => {
  const events = speak(job(input), await open([]), NEVER);
  await expect(events.next()).rejects.toThrow(/nothing in it that could be spoken/);
});
