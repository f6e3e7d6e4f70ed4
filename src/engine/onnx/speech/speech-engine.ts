import { retriable } from '../../../core/async/retriable.ts';
import type { Speech } from '../../../core/catalog/speech.ts';
import { withoutEvents, type Runs } from '../../../core/port/engine.ts';
import { modelNotFound } from '../../../core/errors/errors.ts';
import type { SpeakEvent } from '../../../core/operations/events/events.ts';
import type { SpeakJob } from '../../../core/operations/jobs/jobs.ts';
import type { WeightStore } from '../../../core/weights/weight-store.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { ModelSlot } from '../../workers/model-slot.ts';
import type { AudioFormats } from './sound/audio-formats.ts';
import { speak } from './speak.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import type { VoiceModel } from './voices/voice-model.ts';
import { loadVoiceModel } from './voices/load-voice-model.ts';

interface SpeechServices {
  weights: WeightStore;
  audioFormats: AudioFormats;
}

interface LoadedVoice {
  speech: Speech;
  model: VoiceModel;
  /** Makes the front end of a language once; a failure is not remembered. */
  frontEnds: Map<string, () => Promise<SpeechFrontEnd>>;
  dispose(): Promise<void>;
}

/** The operations of a speech worker. */
export type SpeechOperation = 'speak' | 'open';

/** The engine of the speech worker. It has one model in memory, which speaks sentence by sentence. */
export class SpeechEngine {
  readonly runs: Runs<SpeechOperation> = {
    speak: (job, signal) => this.#speak(job, signal),
    open: (job) => withoutEvents(() => this.#slot.load(job)),
  };
  readonly #audioFormats: AudioFormats;
  readonly #slot: ModelSlot<LoadedVoice>;

  constructor({ weights, audioFormats }: SpeechServices) {
    this.#audioFormats = audioFormats;
    this.#slot = new ModelSlot({ weights, open: openVoice });
  }

  async *#speak(job: SpeakJob, signal: AbortSignal): AsyncGenerator<SpeakEvent, void, undefined> {
    const loaded = this.#slot.model;
    const { model } = loaded;
    const { sampleRate } = loaded.speech;
    const frontEnd = await frontEndOf(loaded, job.language);
    const file = await this.#audioFormats.open(job.format, job.sampleRate ?? sampleRate);
    yield* speak(job, { model, frontEnd, file, sampleRate }, signal);
  }
}

async function openVoice({ entry }: InstalledModel, read: ReadFile): Promise<LoadedVoice> {
  if (entry.task !== 'speech') throw modelNotFound(entry.id);
  const { speech } = entry;
  const model = await loadVoiceModel(speech, read);
  return { speech, model, frontEnds: new Map(), dispose: () => model.dispose() };
}

function frontEndOf({ frontEnds, model }: LoadedVoice, language: string): Promise<SpeechFrontEnd> {
  const known = frontEnds.get(language) ?? retriable(() => model.frontEnd(language));
  frontEnds.set(language, known);
  return known();
}
