import { MoonshineForConditionalGeneration, Tensor } from '@huggingface/transformers';
import { serverError } from '../../../core/errors/errors.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { computingDevice, MODEL, orRuntimeError, serve } from './runtime.ts';
import type { Dtype } from './text-graph.ts';
import { tensor } from './tensors.ts';
import { choosing, numbers, type Generating } from './writing-tokens.ts';

interface WritingOptions {
  /** The token that begins the text. */
  start: number;
  /** Most tokens to write. */
  most: number;
  /** Chooses the next token by the logits of all tokens. */
  choose: (logits: Float32Array) => number;
  /** Is awaited after each run of the decoder, before a token is chosen. */
  onStep: () => Promise<void>;
}

/** Moonshine's encoder and decoder, in memory. */
export class MoonshineGraphs {
  readonly #model: MoonshineForConditionalGeneration;
  /** The callback of the text that is being written. */
  #onStep: WritingOptions['onStep'] | undefined;

  private constructor(model: MoonshineForConditionalGeneration) {
    this.#model = model;
    const forward = model.forward.bind(model);
    model.forward = async (inputs: Record<string, unknown>) => {
      const outputs: unknown = await forward(inputs);
      await this.#onStep?.();
      return outputs;
    };
  }

  /**
   * @param read - gives the model's files, at their paths in a hub's repository
   * @param dtype - type of the weights of both graphs: it determines their file names
   */
  static load(read: ReadFile, dtype: Dtype): Promise<MoonshineGraphs> {
    serve(read);
    return orRuntimeError(async () => {
      const options = { device: computingDevice(), dtype };
      const model = await MoonshineForConditionalGeneration.from_pretrained(MODEL, options);
      if (model instanceof MoonshineForConditionalGeneration) return new MoonshineGraphs(model);
      throw new Error('The model is not a Moonshine model.');
    });
  }

  /**
   * Writes what was said.
   *
   * @param samples - at the model's sample rate
   * @returns without the token that begins the text; the last one is the end token, unless `most` was reached
   */
  write(samples: Float32Array, { start, most, choose, onStep }: WritingOptions): Promise<number[]> {
    this.#onStep = onStep;
    return orRuntimeError(async () => {
      const model: Generating = this.#model;
      const outputs = await model.generate({
        inputs: tensor({ type: 'float32', values: samples, shape: [1, samples.length] }),
        decoder_input_ids: tensor({ type: 'int64', values: [start], shape: [1, 1] }),
        logits_processor: choosing(choose),
        max_new_tokens: most,
        do_sample: false,
      });
      if (outputs instanceof Tensor) return numbers(outputs).slice(1);
      throw serverError('engine_error', 'The model wrote no tokens.');
    });
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
}
