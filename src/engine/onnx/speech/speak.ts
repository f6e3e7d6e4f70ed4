import type { SpeakEvent } from '../../../core/operations/events/events.ts';
import type { SpeakJob } from '../../../core/operations/jobs/jobs.ts';
import { jobFault } from '../../../core/errors/errors.ts';
import { joinedSamples } from '../../../core/joined.ts';
import { audioEvents, type AudioFile } from './sound/audio-file.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import { splitText } from './split-text.ts';
import { withPause } from './sound/pause.ts';
import { Resampler } from './sound/resample.ts';
import { timeStretch } from './sound/time-stretch.ts';
import type { VoiceModel } from './voices/voice-model.ts';

/** Silence between two sentences, beside the model's own, at speed 1, seconds. */
const PAUSE_SECONDS = 0.1;

/** The parts that speaking a job needs. */
export interface SpeechParts {
  model: VoiceModel;
  frontEnd: SpeechFrontEnd;
  file: AudioFile;
  /** Hertz. */
  sampleRate: number;
}

/**
 * Speaks a text sentence by sentence. An abort takes effect before the next sentence.
 *
 * @throws ApiError 400 if nothing in the text can be spoken
 */
export function speak(
  job: SpeakJob,
  parts: SpeechParts,
  signal: AbortSignal,
): AsyncGenerator<SpeakEvent, void, undefined> {
  const { file, sampleRate } = parts;
  const wanted = job.sampleRate ?? sampleRate;
  const pieces = spokenPieces(job, parts, signal);
  return audioEvents(
    file,
    wanted === sampleRate ? pieces : resampled(pieces, sampleRate, wanted),
    wanted,
  );
}

async function* resampled(
  pieces: ReturnType<typeof spokenPieces>,
  from: number,
  to: number,
): ReturnType<typeof spokenPieces> {
  const resampler = new Resampler(from, to);
  for await (const { samples, isLast } of pieces) {
    const ready = resampler.add(samples);
    yield { samples: isLast ? joinedSamples([ready, resampler.finish()]) : ready, isLast };
  }
}

async function* spokenPieces(
  job: SpeakJob,
  { model, frontEnd, sampleRate }: SpeechParts,
  signal: AbortSignal,
): AsyncGenerator<{ samples: Float32Array; isLast: boolean }, void, undefined> {
  const pieces = symbolPieces(job, frontEnd, model.maxSymbols);
  for (const [index, symbols] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    await messagesHandled();
    signal.throwIfAborted();
    const samples = await model.synthesize(symbols, job.voice);
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

/** The symbols that the model reads, piece by piece. Only pieces without a sound are left out. */
export function symbolPieces(
  { text, language }: SpeakJob,
  { normalize, symbols }: SpeechFrontEnd,
  maxSymbols: number,
): string[] {
  const fits = (piece: string) => Array.from(symbols(piece)).length <= maxSymbols;
  const pieces = splitText(normalize(text), language, fits).map(symbols);
  // A piece that is only punctuation has no sound.
  const spoken = pieces.filter((piece) => /\p{L}/u.test(piece));
  if (spoken.length > 0) return spoken;
  throw jobFault('text', 'has nothing in it that could be spoken.');
}

/** WebAssembly computes without a break, so a cancellation can only arrive between two sentences. */
function messagesHandled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
