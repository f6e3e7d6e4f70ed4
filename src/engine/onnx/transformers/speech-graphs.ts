import {
  PreTrainedModel,
  SpeechT5ForTextToSpeech,
  SpeechT5HifiGan,
  StyleTextToSpeech2Model,
  SupertonicForConditionalGeneration,
  VitsModel,
} from '@huggingface/transformers';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { computingDevice, MODEL, orRuntimeError, serve } from './runtime.ts';
import { samples, tensor, type Feed } from './tensors.ts';

/** transformers.js has no class for Piper's graphs, whose outputs have other names. */
const MODEL_CLASSES = {
  kokoro: StyleTextToSpeech2Model,
  piper: PreTrainedModel,
  vits: VitsModel,
};

/** A model of a single graph, in memory. */
export class OnnxGraph {
  readonly #model: PreTrainedModel;

  private constructor(model: PreTrainedModel) {
    this.#model = model;
  }

  /**
   * @param read - gives the model's files, at their paths in a hub's repository
   * @param dtype - type of the weights, as transformers.js calls it: it determines the graph's file name
   */
  static async load(
    family: keyof typeof MODEL_CLASSES,
    read: ReadFile,
    dtype: 'q8' | 'fp32',
  ): Promise<OnnxGraph> {
    serve(read);
    const load = () =>
      MODEL_CLASSES[family].from_pretrained(MODEL, { device: computingDevice(), dtype });
    return new OnnxGraph(await orRuntimeError(load));
  }

  /**
   * Runs the graph once.
   *
   * @returns the first output whose name is among `names`
   * @throws ApiError 500 if no output has such a name, and if a value is not finite
   */
  async run(feeds: Record<string, Feed>, names: string[]): Promise<Float32Array<ArrayBuffer>> {
    const inputs = Object.fromEntries(
      Object.entries(feeds).map(([name, feed]) => [name, tensor(feed)]),
    );
    return orRuntimeError(async () => samples(await this.#model(inputs), names));
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
}

/** SpeechT5's encoder, decoder and vocoder. */
export class SpeechT5Graphs {
  readonly #model: SpeechT5ForTextToSpeech;
  readonly #vocoder: PreTrainedModel;

  private constructor(model: SpeechT5ForTextToSpeech, vocoder: PreTrainedModel) {
    this.#model = model;
    this.#vocoder = vocoder;
  }

  /** @param read - gives the model's files, with those of the vocoder in the folder `vocoder` */
  static load(read: ReadFile): Promise<SpeechT5Graphs> {
    serve(read);
    // SpeechT5's authors report that smaller types are less accurate. On a GPU, transformers.js 4.3 never frees
    // the KV cache: `generate_speech` disposes nothing.
    const options = { device: 'wasm', dtype: 'fp32' } as const;
    return orRuntimeError(async () => {
      const model = await SpeechT5ForTextToSpeech.from_pretrained(MODEL, options);
      if (!(model instanceof SpeechT5ForTextToSpeech))
        throw new Error('The model is not a SpeechT5 model.');
      const vocoder = await SpeechT5HifiGan.from_pretrained(`${MODEL}/vocoder`, options);
      return new SpeechT5Graphs(model, vocoder);
    });
  }

  /** @param speaker - the embedding of a speaker */
  generate(ids: number[], speaker: Float32Array): Promise<Float32Array<ArrayBuffer>> {
    const inputs = tensor({ type: 'int64', values: ids, shape: [1, ids.length] });
    const embedding = tensor({ type: 'float32', values: speaker, shape: [1, speaker.length] });
    const options = { vocoder: this.#vocoder };
    return orRuntimeError(async () =>
      samples(await this.#model.generate_speech(inputs, embedding, options), ['waveform']),
    );
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
    await this.#vocoder.dispose();
  }
}

/** Supertonic's text encoder, denoiser and decoder. */
export class SupertonicGraphs {
  readonly #model: SupertonicForConditionalGeneration;

  private constructor(model: SupertonicForConditionalGeneration) {
    this.#model = model;
  }

  /** @param read - gives the model's files */
  static load(read: ReadFile): Promise<SupertonicGraphs> {
    serve(read);
    const options = { device: computingDevice(), dtype: 'fp32' } as const;
    return orRuntimeError(async () => {
      const model = await SupertonicForConditionalGeneration.from_pretrained(MODEL, options);
      if (model instanceof SupertonicForConditionalGeneration) return new SupertonicGraphs(model);
      throw new Error('The model is not a Supertonic model.');
    });
  }

  /** @param style - the style of a voice */
  generate(
    ids: number[],
    style: { values: Float32Array; shape: number[] },
  ): Promise<Float32Array<ArrayBuffer>> {
    const shape = [1, ids.length];
    const inputs = {
      input_ids: tensor({ type: 'int64', values: ids, shape }),
      attention_mask: tensor({ type: 'int64', values: ids.map(() => 1), shape }),
      style: tensor({ type: 'float32', ...style }),
    };
    return orRuntimeError(async () => {
      const outputs = await this.#model.generate_speech(inputs);
      // The waveform has a whole number of latent steps. `durations` says how much of it is speech.
      const [length = 0] = samples(outputs, ['durations']);
      return samples(outputs, ['waveform']).slice(0, Math.ceil(length));
    });
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
}
