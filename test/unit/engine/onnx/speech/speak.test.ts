import { expect, test } from 'vitest';
import type { SpeakEvent } from '../../../../../src/core/protocol/events.ts';
import type { SpeakJob } from '../../../../../src/core/protocol/jobs.ts';
import { phonemePieces, speak } from '../../../../../src/engine/onnx/speech/speak.ts';
import { textToPhonemes } from '../../../../../src/engine/onnx/speech/text-to-phonemes.ts';
import type { VoiceModel } from '../../../../../src/engine/onnx/speech/voice-model.ts';
import { WavFile } from '../../../../../src/engine/onnx/speech/wav-file.ts';

const RATE = 24_000;
const NEVER = new AbortController().signal;
const noFiles = () => Promise.resolve(undefined);

const job = (text: string, rest: Partial<SpeakJob> = {}): SpeakJob => ({
  ...{ op: 'speak', model: 'm', text, voice: 'v', language: 'en-US', speed: 1, format: 'wav' },
  ...rest,
});

/** A model that gives a tenth of a second for every call and notes what it was asked. */
function model(calls: string[]): VoiceModel {
  return {
    maxPhonemes: 100,
    text: (language) => textToPhonemes(language, noFiles),
    synthesize: (phonemes, voice) => {
      calls.push(`${phonemes} ${voice}`);
      return Promise.resolve(
        Float32Array.from({ length: RATE / 10 }, (_, at) => Math.sin(at / 20)),
      );
    },
    dispose: () => Promise.resolve(),
  };
}

async function open(calls: string[]) {
  const text = await textToPhonemes('en-US', noFiles);
  return { model: model(calls), text, file: new WavFile(RATE), sampleRate: RATE };
}

const secondsOf = (events: SpeakEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'spoken' ? last.seconds : undefined;
};

test('each sentence is one call and one event; the end says how long it was', async () => {
  const calls: string[] = [];
  const events = await Array.fromAsync(speak(job('One. Two. Three.'), await open(calls), NEVER));
  expect(calls).toHaveLength(3);
  expect(events.map(({ type }) => type)).toEqual(['audio', 'audio', 'audio', 'spoken']);
  expect(secondsOf(events)).toBeCloseTo(3 * 0.1 + 2 * 0.1, 3);
});

test.each([0.25, 0.5, 2, 4])('at speed %s it is as much shorter or longer', async (speed) => {
  const events = await Array.fromAsync(speak(job('One. Two.', { speed }), await open([]), NEVER));
  expect(secondsOf(events)).toBeCloseTo(0.3 / speed, 3);
});

test('an abort ends it before the next sentence', async () => {
  const calls: string[] = [];
  const controller = new AbortController();
  const events = speak(job('One. Two. Three.'), await open(calls), controller.signal);
  await events.next();
  controller.abort(new Error('enough'));
  await expect(events.next()).rejects.toThrow('enough');
  expect(calls).toHaveLength(1);
});

test('nothing of a long sentence is left out, and no call gets more than the model takes', async () => {
  const text = await textToPhonemes('en-US', noFiles);
  const words = Array.from({ length: 200 }, (_, at) => `word${at % 7 ? '' : ','}`).join(' ');
  const pieces = phonemePieces(job(`${words}.`), text, 100);
  expect(pieces.every((piece) => Array.from(piece).length <= 100)).toBe(true);
  const letters = (given: string) => given.replace(/[^\p{L}ˈˌ]/gu, '');
  expect(letters(pieces.join(''))).toBe(letters(text.phonemes(text.normalize(`${words}.`))));
});

test.each(['Hello 你好', 'Привет', '٣'])(
  'letters that have no sound in the language are refused by name: %s',
  async (input) => {
    const events = speak(job(input), await open([]), NEVER);
    const letter = Array.from(input).at(-1);
    await expect(events.next()).rejects.toThrow('cannot speak: “');
    await expect(speak(job(input), await open([]), NEVER).next()).rejects.toThrow(`“${letter}”`);
  },
);

test.each(['…', '😀', ' ?! '])(
  'a text without a sound is the request’s fault: %s',
  async (input) => {
    const events = speak(job(input), await open([]), NEVER);
    await expect(events.next()).rejects.toThrow(/nothing in it that could be spoken/);
  },
);
