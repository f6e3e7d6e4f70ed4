import {
  AutoModel,
  AutoModelForSequenceClassification,
  Tensor,
  type PreTrainedModel,
} from '@huggingface/transformers';
import * as v from 'valibot';
import { serverError } from '../../../core/errors/errors.ts';
import type { EncodedText } from '../../retrieval/encoded-text.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { computingDevice, MODEL, orRuntimeError, serve } from './runtime.ts';
import { samples, tensor } from './tensors.ts';

/** An output of a graph: `values` has the shape `dims`. */
export interface GraphOutput {
  name: string;
  values: Float32Array<ArrayBuffer>;
  dims: number[];
}

const MODEL_CLASSES = { states: AutoModel, score: AutoModelForSequenceClassification };

/** Types of weights, as transformers.js calls them: they determine the graph's file name. */
export const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;
export type Dtype = (typeof DTYPES)[number];

const outputsSchema = v.record(v.string(), v.unknown());

/** A model that reads texts and gives numbers. */
export class TextGraph {
  readonly #model: PreTrainedModel;
  readonly #padding: number;

  private constructor(model: PreTrainedModel, padding: number) {
    this.#model = model;
    this.#padding = padding;
  }

  /**
   * @param gives - `states`: a vector for each token, or for each text; `score`: one number for each text
   * @param read - gives the model's files, at their paths in a hub's repository
   * @param padding - the token that shorter texts of a batch are filled up with
   */
  static load(
    gives: keyof typeof MODEL_CLASSES,
    read: ReadFile,
    dtype: Dtype,
    padding: number,
  ): Promise<TextGraph> {
    serve(read);
    return orRuntimeError(async () => {
      const options = { device: computingDevice(), dtype };
      return new TextGraph(await MODEL_CLASSES[gives].from_pretrained(MODEL, options), padding);
    });
  }

  /**
   * Runs the graph once.
   *
   * @param texts - at least one
   * @returns the first output whose name is among `names`
   * @throws ApiError 500 if no output has such a name, and if a value is not finite
   */
  run(texts: readonly EncodedText[], names: readonly string[]): Promise<GraphOutput> {
    return orRuntimeError(async () => {
      const outputs = v.parse(outputsSchema, await this.#model(this.#inputs(texts)));
      const name = names.find((each) => outputs[each] instanceof Tensor);
      const output = name === undefined ? undefined : outputs[name];
      if (name === undefined || !(output instanceof Tensor)) {
        throw serverError('engine_error', `The model has no output named ${names.join(' or ')}.`);
      }
      const values = samples(outputs, [name]);
      for (const each of Object.values(outputs)) if (each instanceof Tensor) each.dispose();
      return { name, values, dims: output.dims };
    });
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }

  #inputs(texts: readonly EncodedText[]): Record<string, Tensor> {
    const length = Math.max(...texts.map(({ ids }) => ids.length));
    const shape = [texts.length, length];
    const filled = (values: number[], filling: number) =>
      values.concat(Array.from({ length: length - values.length }, () => filling));
    const all = (rows: number[][], filling: number) =>
      tensor({ type: 'int64', values: rows.flatMap((row) => filled(row, filling)), shape });
    const types = texts.flatMap((text) => (text.types ? [text.types] : []));
    return {
      input_ids: all(
        texts.map(({ ids }) => ids),
        this.#padding,
      ),
      attention_mask: all(
        texts.map(({ ids }) => ids.map(() => 1)),
        0,
      ),
      ...(types.length === texts.length && { token_type_ids: all(types, 0) }),
    };
  }
}
