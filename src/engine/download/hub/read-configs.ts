import { ConfigFault, type ReadConfig } from '../../../core/files/model-config.ts';
import { modelUnusable } from '../../../core/errors/errors.ts';
import { readJson, type ReadFile } from '../transfer/read-file.ts';

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
