import { dirname, resolve } from 'node:path';

import * as v from 'valibot';

import type { Calibration } from '../../core/catalog/calibration.ts';
import { calibrationSchema } from '../../core/catalog/calibration-schema.ts';
import { readJsonFile } from './formats/json-file.ts';

const optionsSchema = v.strictObject({
  /** Public model id, e.g. `HuggingFaceTB/SmolLM2-135M-Instruct`. */
  id: v.pipe(v.string(), v.nonEmpty()),
  /** Default: the part of the id before the "/". */
  ownedBy: v.exactOptional(v.string()),
  /** SPDX identifier. */
  license: v.string(),
  /** Unix seconds; default: 0, which stands for unknown. */
  created: v.exactOptional(v.number(), 0),
  /** Default sampling, for requests that set none. */
  temperature: v.exactOptional(v.number()),
  topP: v.exactOptional(v.number()),
  /** An embedder's prompts, which its GGUF file does not state: kind of text → words to put before such a text. */
  prompts: v.exactOptional(v.record(v.string(), v.string())),
  /** Lengths to which an embedder's vectors may be cut. */
  dimensions: v.exactOptional(v.array(v.number())),
  /** How a chat model's decisions are calibrated. */
  calibration: v.exactOptional(calibrationSchema),
  /**
   * Path of the model library (.wasm), relative to this file. `library.json` is in the same folder.
   * Without it, the pack has no variant for WebLLM.
   */
  library: v.exactOptional(v.string()),
});

/** What a pack says about its model: `models/<name>.json`. */
export interface ModelOptions {
  id: string;
  ownedBy: string;
  license: string;
  created: number;
  temperature?: number;
  topP?: number;
  prompts?: Record<string, string>;
  dimensions?: number[];
  calibration?: Calibration;
  library?: string;
}

/**
 * @returns the options, with the path of the library resolved
 * @throws PackError if the file is missing or wrong
 */
export function readModelOptions(path: string): ModelOptions {
  const { library, ...options } = readJsonFile(path, optionsSchema);
  return {
    ownedBy: ownerOf(options.id),
    ...options,
    ...(library !== undefined && { library: resolve(dirname(path), library) }),
  };
}

/** `HuggingFaceTB` of `HuggingFaceTB/SmolLM2-135M-Instruct`. */
export function ownerOf(id: string): string {
  return id.split('/')[0] ?? id;
}
