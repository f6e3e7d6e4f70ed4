import { modelUnusable } from '../../core/protocol/errors.ts';
import { ConfigFault, type ReadConfig } from '../../core/model-config.ts';
import type { ReadFile } from '../weights/read-file.ts';
import { readJson } from '../weights/read-file.ts';
import { DTYPES, type Dtype } from './transformers/text-graph.ts';

/** A model's files, parsed from JSON. */
export function configReader(read: ReadFile): ReadConfig {
  return async (path) => ((await read(path)) ? readJson(read, path) : undefined);
}

/** Runs work that reads a model's files. @throws ApiError 500 `model_unusable` if they do not say enough */
export async function readingConfigs<T>(model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConfigFault ? modelUnusable(model, error.message) : error;
  }
}

/** @throws ApiError 500 for a quantisation that transformers.js has no name for */
export function dtypeOf(model: string, quantization: string): Dtype {
  const dtype = DTYPES.find((known) => known === quantization);
  if (dtype) return dtype;
  throw modelUnusable(model, `its weights are of the unknown type '${quantization}'`);
}
