import { LogitsProcessor, LogitsProcessorList, type Tensor } from '@huggingface/transformers';
import { serverError } from '../../../core/errors/errors.ts';

/** The type of the classes requires every option, but each has a default. */
export interface Generating {
  generate(options: object): Promise<unknown>;
}

/** A processor for `generate` that chooses the tokens. */
export function choosing(
  choose: (logits: Float32Array, ids: number[]) => number,
): LogitsProcessorList {
  const list = new LogitsProcessorList();
  list.push(new Chooser(choose));
  return list;
}

/** Makes the chosen token the only one that can be written. */
class Chooser extends LogitsProcessor {
  readonly #choose: (logits: Float32Array, ids: number[]) => number;

  constructor(choose: (logits: Float32Array, ids: number[]) => number) {
    super();
    this.#choose = choose;
  }

  override _call(input: bigint[][], logits: Tensor): Tensor {
    // One sound at a time: there is one row.
    const values: unknown = logits.data;
    if (!(values instanceof Float32Array)) return logits;
    const token = this.#choose(values, (input[0] ?? []).map(Number));
    values.fill(-Infinity);
    values[token] = 0;
    return logits;
  }
}

/** The numbers in a tensor. @throws ApiError 500 if it has something else */
export function numbers({ data }: { data: unknown }): number[] {
  if (data instanceof BigInt64Array) return Array.from(data, Number);
  if (data instanceof Float32Array) return Array.from(data);
  throw serverError('engine_error', 'The model gave something other than numbers.');
}
