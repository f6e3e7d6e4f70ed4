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
import type { SpeechDevice } from '../../core/protocol/messages.ts';
import type { ReadFile } from '../weights/read-file.ts';

/** transformers.js takes a model's files from below this address; nothing is ever fetched from there. */
const MODELS = 'https://model.slashv1.invalid/';
const MODEL = 'model';

/** For Piper's graphs, whose outputs have names of their own, transformers.js has no class. */
const MODEL_CLASSES = {
  kokoro: StyleTextToSpeech2Model,
  piper: PreTrainedModel,
  vits: VitsModel,
};

/** A tensor to feed: its type, its values and its shape. */
export type Feed =
  | { type: 'int64'; values: number[]; shape: number[] }
  | { type: 'float32'; values: Float32Array | number[]; shape: number[] };

/** What models run on from now on. */
let device: SpeechDevice = 'wasm';

/**
 * Makes transformers.js run on what we give it: ONNX Runtime's WebAssembly, no CDN, no cache of its own.
 *
 * @param wasm - the build of ONNX Runtime that this bundle is for
 * @param runsOn - what that build can run models on
 * @param threads - how many it computes with, and the script with which all but this one begin
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
  // What a model lacks is not looked for elsewhere.
  env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));
  env.useBrowserCache = false;
  env.useWasmCache = false;
  const runtime = env.backends.onnx.wasm;
  if (!runtime) throw serverError('engine_error', 'ONNX Runtime has no WebAssembly backend.');
  runtime.wasmBinary = wasm;
  // Else it asks a CDN for what the binary already is.
  delete runtime.wasmPaths;
  runtime.numThreads = threads?.count ?? 1;
  // Else every thread would begin with this worker's own script.
  if (threads) runtime.wasmPaths = { mjs: threads.script };
}

/** A model that transformers.js has in memory. */
export class OnnxGraph {
  readonly #model: PreTrainedModel;

  private constructor(model: PreTrainedModel) {
    this.#model = model;
  }

  /**
   * @param read - gives the model's files, at their paths in a hub's repository
   * @param dtype - transformers.js's name of the weights' type, which says how the graph's file is named
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

  /** Runs the graph once; gives its first output that is one of `names`. */
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

  /** @param read - gives the model's files; those of the vocoder are in the folder `vocoder` */
  static load(read: ReadFile): Promise<SpeechT5Graphs> {
    serve(read);
    // Its authors find the smaller types less accurate. On a GPU, transformers.js leaves the KV cache there
    // and never frees it (4.3: `generate_speech` disposes nothing).
    const options = { device: 'wasm', dtype: 'fp32' } as const;
    return orRuntimeError(async () => {
      const model = await SpeechT5ForTextToSpeech.from_pretrained(MODEL, options);
      if (!(model instanceof SpeechT5ForTextToSpeech)) throw new Error('It is no SpeechT5.');
      const vocoder = await SpeechT5HifiGan.from_pretrained(`${MODEL}/vocoder`, options);
      return new SpeechT5Graphs(model, vocoder);
    });
  }

  /** @param speaker - its embedding */
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
      throw new Error('It is no Supertonic.');
    });
  }

  /** @param style - of a voice */
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
      // What it gives is whole steps of its latent space; how much of that is sound, it says.
      const [length = 0] = samples(outputs, ['durations']);
      return samples(outputs, ['waveform']).slice(0, Math.ceil(length));
    });
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
}

/** The tokenizer of a model that reads characters. */
export class TextTokenizer {
  readonly #tokenizer: PreTrainedTokenizer;
  /** Ids that a text without anything has. */
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

  /** Tokenizers leave out what they do not know, or put another token in its place. */
  knows(character: string): boolean {
    const ids = this.ids(character);
    return ids.length > this.#empty && !ids.includes(this.#tokenizer.unk_token_id);
  }
}

/** From now on transformers.js sees the files of this model. */
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
    // What a GPU's driver computes wrong often is no number.
    if (!value.data.every(Number.isFinite))
      throw serverError('engine_error', 'It computed no sound.');
    return new Float32Array(value.data);
  }
  throw serverError('engine_error', `The model gives none of ${names.join(', ')}.`);
}

async function orRuntimeError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw runtimeError(error);
  }
}

/** ONNX Runtime fails with texts, and where WebAssembly gives up with numbers. */
function runtimeError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|bad_alloc|OOM|Failed to allocate|memory access/i.test(message)) {
    return serverError('out_of_memory', `There is not enough memory to speak: ${message}`);
  }
  return error instanceof Error ? error : serverError('engine_error', message);
}
