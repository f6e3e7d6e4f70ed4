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
  /** Sampling where a request does not say. */
  temperature: v.number(),
  topP: v.number(),
  /** The model library (.wasm), relative to this file; `library.json` lies beside it. */
  library: v.string(),
});

/** What a pack says beside the weights: `models/<name>.json`. */
export type ModelOptions = v.InferOutput<typeof optionsSchema>;

/**
 * @returns the options, with the path of the library resolved
 * @throws PackError if the file is missing or wrong
 */
export function readModelOptions(path: string): ModelOptions {
  const options = readJsonFile(path, optionsSchema);
  return { ...options, library: resolve(dirname(path), options.library) };
}
