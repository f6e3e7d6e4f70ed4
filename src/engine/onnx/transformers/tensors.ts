import { Tensor } from '@huggingface/transformers';
import * as v from 'valibot';
import { serverError } from '../../../core/errors/errors.ts';

/** A tensor to feed: its type, its values and its shape. */
export type Feed =
  | { type: 'int64'; values: number[]; shape: number[] }
  | { type: 'float32'; values: Float32Array | number[]; shape: number[] };

/** A feed as transformers.js takes it. */
export function tensor(feed: Feed): Tensor {
  if (feed.type === 'float32') {
    return new Tensor('float32', Float32Array.from(feed.values), feed.shape);
  }
  return new Tensor('int64', BigInt64Array.from(feed.values, BigInt), feed.shape);
}

const outputsSchema = v.record(v.string(), v.unknown());

/**
 * The values of the first output whose name is among `names`.
 *
 * @throws ApiError 500 if no output has such a name, and if a value is not finite
 */
export function samples(outputs: unknown, names: string[]): Float32Array<ArrayBuffer> {
  for (const [name, value] of Object.entries(v.parse(outputsSchema, outputs))) {
    if (!names.includes(name) || !(value instanceof Tensor)) continue;
    const data: unknown = (value.type === 'float16' ? value.to('float32') : value).data;
    if (!(data instanceof Float32Array)) continue;
    // A GPU driver that computes wrong results often produces NaN. So does fp16 if a model needs a larger range.
    if (!data.every(Number.isFinite)) {
      throw serverError('engine_error', `The model produced non-finite values in '${name}'.`);
    }
    return new Float32Array(data);
  }
  throw serverError('engine_error', `The model has no output named ${names.join(' or ')}.`);
}
