import { PreTrainedModel, Tensor } from '@huggingface/transformers';
import * as v from 'valibot';
import { MODEL, orRuntimeError, serve } from './runtime.ts';
import { samples, tensor } from './tensors.ts';

/** Hertz. */
export const VOICE_RATE = 16_000;
/** Samples that the model hears at once. */
export const VOICE_SAMPLES = 512;
/** Samples before them that it hears again. */
const CONTEXT = 64;
/** Shape of the model's memory of the sound so far. */
const STATE = [2, 1, 128];

const CONFIG = { model_type: 'custom' };
const outputsSchema = v.object({ stateN: v.instance(Tensor) });

/** Silero VAD, in memory. */
export class VoiceGraph {
  readonly #model: PreTrainedModel;

  private constructor(model: PreTrainedModel) {
    this.#model = model;
  }

  /** @param file - the graph */
  static load(file: Uint8Array<ArrayBuffer>): Promise<VoiceGraph> {
    const files: Record<string, Blob> = {
      'config.json': new Blob([JSON.stringify(CONFIG)]),
      'onnx/model.onnx': new Blob([file]),
    };
    serve((path) => Promise.resolve(files[path]));
    return orRuntimeError(async () => {
      // The model is so small that a GPU would only cost time.
      const options = { device: 'wasm', dtype: 'fp32' } as const;
      return new VoiceGraph(await PreTrainedModel.from_pretrained(MODEL, options));
    });
  }

  /** Begins a sound. @returns a function that gives the probability of speech, 0 to 1, of each of its parts in turn */
  listen(): (part: Float32Array) => Promise<number> {
    const { length } = new Float32Array(STATE.reduce((product, size) => product * size, 1));
    let state = tensor({ type: 'float32', values: new Float32Array(length), shape: STATE });
    const rate = tensor({ type: 'int64', values: [VOICE_RATE], shape: [] });
    const heard = new Float32Array(CONTEXT + VOICE_SAMPLES);
    return (part) =>
      orRuntimeError(async () => {
        heard.copyWithin(0, VOICE_SAMPLES);
        heard.fill(0, CONTEXT);
        heard.set(part, CONTEXT);
        const input = tensor({ type: 'float32', values: heard, shape: [1, heard.length] });
        const outputs: unknown = await this.#model({ input, state, sr: rate });
        state = v.parse(outputsSchema, outputs).stateN;
        const [probability = 0] = samples(outputs, ['output']);
        return probability;
      });
  }
}
