import * as v from 'valibot';
import { speechSchema } from './speech.ts';

const fileSchema = v.object({
  /** Path inside the pack, "/" separated. */
  path: v.string(),
  size: v.number(),
  /** Hex SHA-256 of the file, or undefined if the source does not know it. */
  sha256: v.optional(v.string()),
});

/** `manifest.json` of a model pack: a folder that any static host can serve. */
export const manifestSchema = v.object({
  format: v.literal('slashv1-pack'),
  version: v.literal(1),
  /** Public model id, e.g. `HuggingFaceTB/SmolLM2-135M-Instruct`. */
  id: v.string(),
  /** Hex; changes with any byte of any file. */
  revision: v.string(),
  ownedBy: v.string(),
  /** Unix seconds. */
  created: v.number(),
  license: v.string(),
  /** The engine's name of the quantisation, e.g. `q4f16_1` or `q8`. */
  quantization: v.string(),
  /** Tokens. */
  contextLength: v.number(),
  /** What the model can do beyond text, as the API's `supported_features` names it. */
  features: v.optional(v.array(v.string()), []),
  /** Present if the model speaks; all other packs are chat models for WebLLM. */
  speech: v.optional(speechSchema),
  /** Path of WebLLM's model library among the files; of a model that speaks, of its ONNX graph. */
  modelLibrary: v.string(),
  /** GPU memory of the loaded model, weights and KV cache, bytes; 0 for a model that speaks. */
  gpuBytes: v.number(),
  files: v.array(fileSchema),
});

export type PackManifest = v.InferOutput<typeof manifestSchema>;
export type PackFile = v.InferOutput<typeof fileSchema>;
