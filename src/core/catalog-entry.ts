import * as v from 'valibot';

const fileSchema = v.object({
  /** Path inside the pack, "/" separated. */
  path: v.string(),
  size: v.number(),
  /** Hex SHA-256 of the file, or undefined where the source does not know it. */
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
  /** WebLLM's name of the quantisation, e.g. `q4f16_1`. */
  quantization: v.string(),
  /** Tokens. */
  contextLength: v.number(),
  /** Path of the model library among the files. */
  modelLibrary: v.string(),
  /** GPU memory that the loaded model takes, bytes, weights and KV cache. */
  gpuBytes: v.number(),
  files: v.array(fileSchema),
});

export type PackManifest = v.InferOutput<typeof manifestSchema>;
export type PackFile = v.InferOutput<typeof fileSchema>;
