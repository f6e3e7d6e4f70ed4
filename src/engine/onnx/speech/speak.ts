import type { SpeakEvent } from '../../../core/protocol/events.ts';
import type { SpeakJob } from '../../../core/protocol/jobs.ts';
import { jobFault } from '../../../core/protocol/errors.ts';
import { audioEvents, type AudioFile } from './audio-file.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import { splitText } from './split-text.ts';
import { withPause } from './pause.ts';
import { timeStretch } from './time-stretch.ts';
import type { VoiceModel } from './voice-model.ts';

/** Silence between two sentences beside their own, at speed 1, seconds. */
const PAUSE_SECONDS = 0.1;

/** What speaks a job. */
export interface Speaker {
  model: VoiceModel;
  text: SpeechFrontEnd;
  file: AudioFile;
  /** Hertz. */
  sampleRate: number;
}

/**
 * Speaks a text sentence by sentence. An abort takes effect before the next one.
 *
 * @throws ApiError 400 for a text without anything that could be said
 */
export function speak(
  job: SpeakJob,
  speaker: Speaker,
  signal: AbortSignal,
): AsyncGenerator<SpeakEvent, void, undefined> {
  return audioEvents(speaker.file, spokenPieces(job, speaker, signal), speaker.sampleRate);
}

async function* spokenPieces(
  job: SpeakJob,
  { model, text, sampleRate }: Speaker,
  signal: AbortSignal,
): AsyncGenerator<{ samples: Float32Array; isLast: boolean }, void, undefined> {
  const pieces = phonemePieces(job, text, model.maxPhonemes);
  for (const [index, phonemes] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    await messagesHandled();
    signal.throwIfAborted();
    const samples = await model.synthesize(phonemes, job.voice);
    yield {
      samples: withPause(
        timeStretch(samples, sampleRate, job.speed),
        sampleRate,
        isLast ? 0 : PAUSE_SECONDS / job.speed,
      ),
      isLast,
    };
  }
}

/** What the model is to say, piece by piece. Nothing of the text is left out. */
export function phonemePieces(
  { text, language }: SpeakJob,
  { normalize, phonemes }: SpeechFrontEnd,
  maxPhonemes: number,
): string[] {
  const fits = (piece: string) => Array.from(phonemes(piece)).length <= maxPhonemes;
  const pieces = splitText(normalize(text), language, fits).map(phonemes);
  // A piece of nothing but punctuation has no sound.
  const spoken = pieces.filter((piece) => /\p{L}/u.test(piece));
  if (spoken.length > 0) return spoken;
  throw jobFault('text', 'has nothing in it that could be spoken.');
}

/** WebAssembly computes without a pause: only in between can a cancellation arrive. */
function messagesHandled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
