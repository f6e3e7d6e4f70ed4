import type { WeightStore } from '../../../core/weights/weight-store.ts';
import { withoutEvents, type Runs } from '../../../core/port/engine.ts';
import type { HeardSegment, TranscribeEvent } from '../../../core/operations/events/events.ts';
import type { JobOf } from '../../../core/operations/jobs/jobs.ts';
import { newTurn } from '../../scheduling/turn.ts';
import { ModelSlot } from '../../workers/model-slot.ts';
import { openRecogniser } from './recogniser/open-recogniser.ts';
import { withSigns } from './pace.ts';
import type { HeardWindow, Recogniser, WindowSegment } from './recogniser/recogniser.ts';
import { Recording } from './sound/recording.ts';
import type { VoiceDetector } from './voice-detector.ts';

/** The operations of a worker with a recogniser. */
export type HearingOperation = 'transcribe' | 'open';

interface HearingServices {
  weights: WeightStore;
  voice: VoiceDetector;
}

/** The engine of a worker with a recogniser. It has one model in memory, and reads one window for each job. */
export class HearingEngine {
  readonly #slot: ModelSlot<Recogniser>;
  readonly #voice: VoiceDetector;
  readonly #turn = newTurn();
  /** The recording of the last job. The next job usually reads its next window. */
  #open: { id: string; recording: Recording } | undefined;
  readonly runs: Runs<HearingOperation> = {
    transcribe: (job, signal) => this.#transcribe(job, signal),
    open: (job) => withoutEvents(() => this.#slot.load(job)),
  };

  constructor({ voice, weights }: HearingServices) {
    this.#voice = voice;
    this.#slot = new ModelSlot({ weights, open: openRecogniser });
  }

  async *#transcribe(
    job: JobOf<'transcribe'>,
    signal: AbortSignal,
  ): AsyncGenerator<TranscribeEvent, void, undefined> {
    let isOpen = false;
    try {
      for await (const event of this.#window(job, signal)) {
        isOpen = event.type === 'heard';
        yield event;
      }
    } catch (error) {
      isOpen = false;
      throw error;
    } finally {
      // A job that failed, was cancelled or is finished has no next window.
      if (!isOpen) await this.#close();
    }
  }

  /** Hears the window that begins where the previous one ended. */
  async *#window(
    job: JobOf<'transcribe'>,
    signal: AbortSignal,
  ): AsyncGenerator<TranscribeEvent, void, undefined> {
    const { model } = this.#slot;
    const { samples: length, sampleRate } = model.window;
    const recording = await this.#recording(job, sampleRate);
    const { seconds = 0, language = job.language } = job.from ?? {};
    const begin = Math.round(seconds * sampleRate);
    const sound = await recording.read(begin, length);
    signal.throwIfAborted();
    const isLast = sound.length < length;
    const stillReading: TranscribeEvent = { type: 'heard', segments: [], until: seconds };
    const at = (samples: number) => (begin + samples) / sampleRate;
    const silent = await this.#voice.skippable(sound, sampleRate, signal);
    if (silent > 0 || sound.length === 0) {
      yield { type: 'heard', segments: [], until: at(silent) };
      if (isLast && silent === sound.length) yield { type: 'transcribed', seconds: at(silent) };
      return;
    }
    const heard = yield* withSigns(stillReading, this.#turn, (onStep) =>
      model.hear(sound, {
        task: job.task,
        language,
        temperature: job.temperature ?? 0,
        onStep,
        signal,
        // `earlier` lacks the text of earlier windows: with it, a model may lose its place and skip windows.
        withWords: job.words === true,
        earlier: job.prompt ?? '',
      }),
    );
    yield {
      type: 'heard',
      language: heard.language,
      tokens: heard.tokens,
      segments: heard.segments.map((segment) => absolute(segment, heard, at(0))),
      until: at(heard.consumed),
    };
    if (isLast && heard.consumed >= sound.length) {
      yield { type: 'transcribed', seconds: at(sound.length) };
    }
  }

  async #recording(
    { audio, recording: id }: JobOf<'transcribe'>,
    sampleRate: number,
  ): Promise<Recording> {
    if (this.#open && this.#open.id === id) return this.#open.recording;
    await this.#close();
    const recording = await Recording.open(audio, sampleRate);
    this.#open = { id, recording };
    return recording;
  }

  async #close(): Promise<void> {
    const old = this.#open;
    this.#open = undefined;
    await old?.recording.close();
  }
}

/** A segment with its times counted from the beginning of the recording, and the facts about its window. */
function absolute(
  { text, tokens, words, ...times }: WindowSegment,
  { temperature, averageLogprob, compressionRatio, noSpeech }: HeardWindow,
  window: number,
): HeardSegment {
  return {
    ...later(times, window),
    window,
    text,
    tokens,
    temperature,
    averageLogprob,
    compressionRatio,
    noSpeech,
    ...(words && { words: words.map((word) => later(word, window)) }),
  };
}

function later<T extends { start: number; end: number }>(part: T, seconds: number): T {
  return { ...part, start: part.start + seconds, end: part.end + seconds };
}
