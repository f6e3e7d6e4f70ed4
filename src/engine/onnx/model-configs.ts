import { modelUnusable } from '../../core/errors/errors.ts';
import { DTYPES, type Dtype } from './transformers/text-graph.ts';

/** @throws ApiError 500 for a quantisation that transformers.js has no name for */
export function dtypeOf(model: string, quantization: string): Dtype {
  const dtype = DTYPES.find((known) => known === quantization);
  if (dtype) return dtype;
  throw modelUnusable(model, `its weights are of the unknown type '${quantization}'`);
}
