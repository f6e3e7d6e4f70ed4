import {
  env,
  LogLevel,
  PreTrainedModel,
  PreTrainedTokenizer,
  SpeechT5ForTextToSpeech,
  SpeechT5HifiGan,
  StyleTextToSpeech2Model,
  SupertonicForConditionalGeneration,
  Tensor,
  VitsModel,
} from '@huggingface/transformers';
import * as v from 'valibot';
import { serverError } from '../../core/protocol/errors.ts';
import type { SpeechDevice } from '../../core/protocol/speech-files.ts';
import type { ReadFile } from '../weights/read-file.ts';

/** transformers.js looks for a model's files below this address. Nothing is ever fetched from it. */
const MODELS = 'https://model.slashv1.invalid/';
const MODEL = 'model';

/** transformers.js has no class for Piper's graphs, whose outputs have other names. */
const MODEL_CLASSES = {
  kokoro: StyleTextToSpeech2Model,
  piper: PreTrainedModel,
  vits: VitsModel,
};

/** A tensor to feed: its type, its values and its shape. */
export type Feed =
  | { type: 'int64'; values: number[]; shape: number[] }
  | { type: 'float32'; values: Float32Array | number[]; shape: number[] };

/** What models run on. */
let device: SpeechDevice = 'wasm';

/**
 * Makes transformers.js use the given build of ONNX Runtime, without a CDN and without a cache of its own.
 *
 * @param wasm - the build of ONNX Runtime that this bundle is made for
 * @param runsOn - what models run on
 * @param threads - their number, and the script that each further thread starts with; undefined: one thread
 */
export function setUpRuntime(
  wasm: ArrayBuffer,
  runsOn: SpeechDevice,
  threads: { count: number; script: string } | undefined,
): void {
  device = runsOn;
  env.logLevel = LogLevel.ERROR;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = MODELS;
  // A file that the model does not have is not fetched from elsewhere.
  env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));
  env.useBrowserCache = false;
  env.useWasmCache = false;
  const runtime = env.backends.onnx.wasm;
  if (!runtime) throw serverError('engine_error', 'ONNX Runtime has no WebAssembly backend.');
  runtime.wasmBinary = wasm;
  // Otherwise it would fetch the binary from a CDN.
  delete runtime.wasmPaths;
  runtime.numThreads = threads?.count ?? 1;
  // Otherwise each thread would start with this worker's own script.
  if (threads) runtime.wasmPaths = { mjs: threads.script };
}

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
    const load = () => MODEL_CLASSES[family].from_pretrained(MODEL, { device, dtype });
    return new OnnxGraph(await orRuntimeError(load));
  }

  /**
   * Runs the graph once.
   *
   * @returns the first output whose name is among `names`
   * @throws ApiError 500 if there is none, or if it has non-finite values
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
    // Its authors report that smaller types are less accurate. On a GPU, transformers.js 4.3 never frees the
    // KV cache: `generate_speech` disposes nothing.
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
    const options = { device, dtype: 'fp32' } as const;
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

/** A model's tokenizer. */
export class TextTokenizer {
  readonly #tokenizer: PreTrainedTokenizer;
  /** The number of ids of an empty text. */
  readonly #empty: number;

  private constructor(tokenizer: PreTrainedTokenizer) {
    this.#tokenizer = tokenizer;
    this.#empty = tokenizer.encode('').length;
  }

  /** @param read - gives the model's files */
  static load(read: ReadFile): Promise<TextTokenizer> {
    serve(read);
    return orRuntimeError(
      async () => new TextTokenizer(await PreTrainedTokenizer.from_pretrained(MODEL)),
    );
  }

  ids(text: string): number[] {
    return this.#tokenizer.encode(text);
  }

  /** Whether a character has a token. Tokenizers drop unknown characters or replace them. */
  knows(character: string): boolean {
    const ids = this.ids(character);
    return ids.length > this.#empty && !ids.includes(this.#tokenizer.unk_token_id);
  }
}

/** Makes transformers.js read the files of this model. */
function serve(read: ReadFile): void {
  env.useCustomCache = true;
  env.customCache = {
    match: async (address: string) => {
      const blob = await read(address.replace(`${MODELS}${MODEL}/`, ''));
      return blob && new Response(blob);
    },
    put: () => Promise.resolve(),
  };
}

function tensor(feed: Feed): Tensor {
  if (feed.type === 'float32') {
    return new Tensor('float32', Float32Array.from(feed.values), feed.shape);
  }
  return new Tensor('int64', BigInt64Array.from(feed.values, BigInt), feed.shape);
}

const outputsSchema = v.record(v.string(), v.unknown());

function samples(outputs: unknown, names: string[]): Float32Array<ArrayBuffer> {
  for (const [name, value] of Object.entries(v.parse(outputsSchema, outputs))) {
    if (!names.includes(name) || !(value instanceof Tensor)) continue;
    if (!(value.data instanceof Float32Array)) continue;
    // A GPU driver that computes wrong results often produces NaN.
    if (!value.data.every(Number.isFinite)) {
      throw serverError('engine_error', `The model produced non-finite values in '${name}'.`);
    }
    return new Float32Array(value.data);
  }
  throw serverError('engine_error', `The model has no output named ${names.join(' or ')}.`);
}

async function orRuntimeError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw runtimeError(error);
  }
}

/** ONNX Runtime throws errors, or numbers if WebAssembly itself fails. */
function runtimeError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|bad_alloc|OOM|Failed to allocate|memory access/i.test(message)) {
    return serverError('out_of_memory', `There is not enough memory to run the model: ${message}`);
  }
  return error instanceof Error ? error : serverError('engine_error', message);
}
