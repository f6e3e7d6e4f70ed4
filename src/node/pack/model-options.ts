import { dirname, resolve } from 'node:path';

import * as v from 'valibot';

import { readJsonFile } from './json-file.ts';

const optionsSchema = v.strictObject({
  /** Public model id, e.g. `HuggingFaceTB/SmolLM2-135M-Instruct`. */
  id: v.pipe(v.string(), v.nonEmpty()),
  ownedBy: v.string(),
  /** SPDX identifier. */
  license: v.string(),
  /** Unix seconds. */
  created: v.number(),
  /** Default sampling, for requests that set none. */
  temperature: v.number(),
  topP: v.number(),
  /** Path of the model library (.wasm), relative to this file. `library.json` is in the same folder. */
  library: v.string(),
});

/** What a pack says about its model: `models/<name>.json`. */
export type ModelOptions = v.InferOutput<typeof optionsSchema>;

/**
 * @returns the options, with the path of the library resolved
 * @throws PackError if the file is missing or wrong
 */
export function readModelOptions(path: string): ModelOptions {
  const options = readJsonFile(path, optionsSchema);
  return { ...options, library: resolve(dirname(path), options.library) };
}
