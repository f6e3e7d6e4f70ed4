import { engineOf, withoutEvents, type Engine } from '../../../core/protocol/engine.ts';
import type { EventOf, SpeakEvent } from '../../../core/protocol/events.ts';
import type { JobOf, SpeakJob } from '../../../core/protocol/jobs.ts';
import type { CatalogReader } from '../../../core/stores/catalog.ts';
import type { Speech } from '../../../core/stores/speech.ts';
import { modelNotFound, serverError } from '../../../core/protocol/errors.ts';
import type { WeightStore } from '../../../core/stores/weight-store.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import { verifiedFiles } from '../../weights/verified-files.ts';
import type { AudioFiles } from './audio-files.ts';
import { speak } from './speak.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import type { VoiceModel } from './voice-model.ts';
import { loadVoiceModel } from './load-voice-model.ts';

interface Parts {
  catalog: CatalogReader;
  weights: WeightStore;
  audioFiles: AudioFiles;
}

interface LoadedModel {
  id: string;
  revision: string;
  speech: Speech;
  model: VoiceModel;
  /** By language, as they are needed. */
  texts: Map<string, Promise<SpeechFrontEnd>>;
}

/** What a speech worker does. */
export type SpeechOperation = 'speak' | 'load';

/** The engine of the speech worker: one model in memory, which speaks sentence by sentence. */
export class SpeechEngine implements Engine<SpeechOperation> {
  readonly #parts: Parts;
  readonly #engine = engineOf<SpeechOperation>({
    speak: (job, signal) => this.#speak(job, signal),
    load: (job) => withoutEvents(() => this.#load(job.model)),
  });
  #loaded: LoadedModel | undefined;
  /** Settles with the latest change of what is in memory: one at a time. */
  #change: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run<Op extends SpeechOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#speak(job: SpeakJob, signal: AbortSignal): AsyncGenerator<SpeakEvent, void, undefined> {
    const loaded = await this.#load(job.model);
    const text = await textOf(loaded, job.language);
    const { sampleRate } = loaded.speech;
    const file = await this.#parts.audioFiles.open(job.format, sampleRate);
    yield* speak(job, { model: loaded.model, text, file, sampleRate }, signal);
  }

  /** A cancelled job may still be loading. */
  #load(id: string): Promise<LoadedModel> {
    const loaded = this.#change.then(() => this.#require(id));
    this.#change = loaded.catch(() => undefined);
    return loaded;
  }

  /** Its files are in the weight store: whoever asks has seen to that. */
  async #require(id: string): Promise<LoadedModel> {
    const entry = await this.#parts.catalog.get(id);
    const variant = entry?.variants.find(({ engine, installed }) => engine === 'onnx' && installed);
    if (entry?.task !== 'speech' || !variant?.installed) throw modelNotFound(id);
    const { revision } = variant.installed;
    if (this.#loaded?.id === id && this.#loaded.revision === revision) return this.#loaded;
    await this.#unload();
    this.#loaded = await this.#open(entry.speech, {
      entry,
      variant,
      installation: variant.installed,
    });
    return this.#loaded;
  }

  async #open(speech: Speech, installed: InstalledModel): Promise<LoadedModel> {
    const { entry, installation } = installed;
    const { read } = verifiedFiles(installed, this.#parts.weights, damaged);
    const model = await loadVoiceModel(speech, read);
    return { id: entry.id, revision: installation.revision, speech, texts: new Map(), model };
  }

  async #unload(): Promise<void> {
    const old = this.#loaded;
    this.#loaded = undefined;
    await old?.model.dispose();
  }
}

function textOf({ texts, model }: LoadedModel, language: string): Promise<SpeechFrontEnd> {
  const known = texts.get(language);
  if (known) return known;
  const text = model.text(language);
  texts.set(language, text);
  return text;
}

/** Its place is empty now: the engine worker fetches it for the next job. */
function damaged(): Promise<never> {
  const message =
    'A file of the model was damaged in this browser’s storage. Ask again: it comes anew.';
  return Promise.reject(serverError('engine_error', message));
}
