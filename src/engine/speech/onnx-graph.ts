import {
  env,
  LogLevel,
  PreTrainedModel,
  StyleTextToSpeech2Model,
  Tensor,
} from '@huggingface/transformers';
import * as v from 'valibot';
import { serverError } from '../../core/errors.ts';
import type { ReadFile } from '../cache-shim.ts';

/** transformers.js takes a model's files from below this address; nothing is ever fetched from there. */
const MODELS = 'https://model.slashv1.invalid/';
const MODEL = 'model';

/** For Piper's graphs, whose outputs have names of their own, transformers.js has no class. */
const MODEL_CLASSES = { kokoro: StyleTextToSpeech2Model, piper: PreTrainedModel };

/** A tensor to feed: its type, its values and its shape. */
export type Feed =
  | { type: 'int64'; values: number[]; shape: number[] }
  | { type: 'float32'; values: Float32Array | number[]; shape: number[] };

/**
 * Makes transformers.js run on what we give it: ONNX Runtime's WebAssembly, one thread, no CDN, no cache
 * of its own.
 *
 * @param wasm - ONNX Runtime's plain build
 */
export function setUpRuntime(wasm: ArrayBuffer): void {
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
  // Threads would start this worker's own script anew, and need a cross-origin isolated page.
  runtime.numThreads = 1;
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
    env.useCustomCache = true;
    env.customCache = {
      match: async (address: string) => {
        const blob = await read(address.replace(`${MODELS}${MODEL}/`, ''));
        return blob && new Response(blob);
      },
      put: () => Promise.resolve(),
    };
    try {
      const model = await MODEL_CLASSES[family].from_pretrained(MODEL, { device: 'wasm', dtype });
      return new OnnxGraph(model);
    } catch (error) {
      throw runtimeError(error);
    }
  }

  /** Runs the graph once; gives its first output that is one of `names`. */
  async run(feeds: Record<string, Feed>, names: string[]): Promise<Float32Array<ArrayBuffer>> {
    const inputs = Object.fromEntries(
      Object.entries(feeds).map(([name, feed]) => [name, tensor(feed)]),
    );
    try {
      const outputs: unknown = await this.#model(inputs);
      return samples(outputs, names);
    } catch (error) {
      throw runtimeError(error);
    }
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
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
    if (value.data instanceof Float32Array) return new Float32Array(value.data);
  }
  throw serverError('engine_error', `The model gives none of ${names.join(', ')}.`);
}

/** ONNX Runtime fails with texts, and where WebAssembly gives up with numbers. */
function runtimeError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|bad_alloc|OOM|Failed to allocate|memory access/i.test(message)) {
    return serverError('out_of_memory', `There is not enough memory to speak: ${message}`);
  }
  return error instanceof Error ? error : serverError('engine_error', message);
}
