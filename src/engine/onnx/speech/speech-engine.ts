import type { Speech } from '../../../core/stores/catalog-entry.ts';
import type { CatalogStore } from '../../../core/stores/catalog-store.ts';
import type { Engine, Job, JobEvent, SpeakJob } from '../../../core/protocol/engine.ts';
import { modelNotFound, serverError } from '../../../core/protocol/errors.ts';
import type { WeightStore } from '../../../core/stores/weight-store.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import type { ReadFile } from '../../weights/read-file.ts';
import { ModelSlot } from '../model-slot.ts';
import type { AudioFormats } from './audio-formats.ts';
import { speak } from './speak.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import type { VoiceModel } from './voice-model.ts';
import { loadVoiceModel } from './load-voice-model.ts';

interface Parts {
  catalog: CatalogStore;
  weights: WeightStore;
  audioFormats: AudioFormats;
}

interface LoadedVoice {
  speech: Speech;
  model: VoiceModel;
  /** By language. Each is made when it is first needed. */
  frontEnds: Map<string, Promise<SpeechFrontEnd>>;
  dispose(): Promise<void>;
}

/** The engine of the speech worker. It has one model in memory, which speaks sentence by sentence. */
export class SpeechEngine implements Engine {
  readonly #audioFormats: AudioFormats;
  readonly #slot: ModelSlot<LoadedVoice>;

  constructor({ catalog, weights, audioFormats }: Parts) {
    this.#audioFormats = audioFormats;
    this.#slot = new ModelSlot({ catalog, weights, open: openVoice });
  }

  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    switch (job.op) {
      case 'speak':
        yield* this.#speak(job, signal);
        return;
      case 'load':
        await this.#slot.load(job.model);
        return;
      default:
        throw serverError('engine_error', `The speech worker has no job '${job.op}'.`);
    }
  }

  async *#speak(job: SpeakJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const loaded = await this.#slot.load(job.model);
    const { model } = loaded;
    const { sampleRate } = loaded.speech;
    const frontEnd = await frontEndOf(loaded, job.language);
    const file = await this.#audioFormats.open(job.format, sampleRate);
    yield* speak(job, { model, frontEnd, file, sampleRate }, signal);
  }
}

async function openVoice({ entry }: InstalledModel, read: ReadFile): Promise<LoadedVoice> {
  const { id, speech } = entry;
  if (!speech) throw modelNotFound(id);
  const model = await loadVoiceModel(speech, read);
  return { speech, model, frontEnds: new Map(), dispose: () => model.dispose() };
}

function frontEndOf({ frontEnds, model }: LoadedVoice, language: string): Promise<SpeechFrontEnd> {
  const known = frontEnds.get(language);
  if (known) return known;
  const frontEnd = model.frontEnd(language);
  frontEnds.set(language, frontEnd);
  return frontEnd;
}
