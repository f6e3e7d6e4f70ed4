import * as v from 'valibot';
import type { Embedding, Transcription } from './catalog-entry.ts';
import type { PackFile } from './pack-file.ts';
import { speechSchema } from './speech-schema.ts';

const fileSchema = v.object({
  path: v.string(),
  size: v.number(),
  sha256: v.optional(v.string()),
  pieces: v.optional(v.array(v.string())),
}) satisfies v.GenericSchema<unknown, PackFile>;

/** The manifest's facts about the model, whatever runs it. */
const modelEntries = {
  format: v.literal('slashv1-pack'),
  /** Public model id, e.g. `HuggingFaceTB/SmolLM2-135M-Instruct`. */
  id: v.string(),
  ownedBy: v.string(),
  /** Unix seconds. */
  created: v.number(),
  license: v.string(),
  /** Tokens. */
  contextLength: v.number(),
  /** What the model can do beyond text, as the API's `supported_features` names it. */
  features: v.optional(v.array(v.string()), []),
};

const variantEntries = {
  /** The engine's name of the quantisation, e.g. `q4f16_1`, `Q4_K_M` or `q8`. */
  quantization: v.string(),
  /** Hex; changes with any byte of any file of the variant. */
  revision: v.string(),
  /** What a device must have, as in the catalog. */
  needs: v.optional(
    v.object({
      shaderF16: v.exactOptional(v.boolean()),
      bufferBytes: v.exactOptional(v.number()),
      memoryBytes: v.exactOptional(v.number()),
    }),
    {},
  ),
  /** The files of this variant. Other variants may share them. */
  files: v.array(fileSchema),
};

const webLlmSchema = v.object({
  engine: v.literal('webllm'),
  ...variantEntries,
  /** Path of WebLLM's model library among the files. */
  modelLibrary: v.string(),
});

const llamaCppSchema = v.object({
  engine: v.literal('llamacpp'),
  ...variantEntries,
  /** Paths among the files; of a split GGUF file, all parts in order. */
  parts: v.pipe(v.array(v.string()), v.nonEmpty()),
  /** Path of the projector among the files, with which the model sees images. */
  projector: v.exactOptional(v.string()),
  /** Memory that the model takes, as in the catalog, bytes. */
  memory: v.object({ weightBytes: v.number(), tokenBytes: v.number(), bufferBytes: v.number() }),
  /** What a GPU needs to run it, as in the catalog. */
  onGpu: v.exactOptional(v.object({ tensorBytes: v.number(), lacks: v.exactOptional(v.string()) })),
  /** Default sampling, which few GGUF files have. */
  sampling: v.exactOptional(
    v.object({ temperature: v.exactOptional(v.number()), topP: v.exactOptional(v.number()) }),
  ),
  /** An embedder's prompts: name of the kind of text → prefix of such a text. */
  prompts: v.exactOptional(v.record(v.string(), v.string())),
});

const onnxSchema = v.object({
  engine: v.literal('onnx'),
  ...variantEntries,
  /** Path of the ONNX graph among the files; of several, the first that runs. */
  graph: v.string(),
});

const variantSchema = v.variant('engine', [webLlmSchema, llamaCppSchema, onnxSchema]);
const ENGINES = new Set<string>(variantSchema.options.map(({ entries }) => entries.engine.literal));

/** A newer slashv1 may know more engines: their variants are left out. */
const variantsSchema = v.pipe(
  v.array(v.looseObject({ engine: v.string() })),
  v.filterItems(({ engine }) => ENGINES.has(engine)),
  v.array(variantSchema),
  v.nonEmpty(),
);

const version2Entries = {
  ...modelEntries,
  version: v.picklist([1, 2]),
  /** The best first, as in the catalog. */
  variants: variantsSchema,
};

const embeddingSchema = v.object({
  length: v.number(),
  dimensions: v.exactOptional(v.array(v.number())),
}) satisfies v.GenericSchema<unknown, Embedding>;

const transcriptionSchema = v.object({
  languages: v.array(v.string()),
  translates: v.boolean(),
  timesWords: v.boolean(),
}) satisfies v.GenericSchema<unknown, Transcription>;

const version2Schema = v.variant('task', [
  v.object({ ...version2Entries, task: v.literal('speech'), speech: speechSchema }),
  v.object({ ...version2Entries, task: v.literal('embedding'), embedding: embeddingSchema }),
  v.object({
    ...version2Entries,
    task: v.literal('transcription'),
    transcription: transcriptionSchema,
  }),
  v.object({
    ...version2Entries,
    task: v.picklist(['chat', 'rerank']),
  }),
]);

const version1Schema = v.object({
  ...modelEntries,
  version: v.literal(1),
  revision: v.string(),
  quantization: v.string(),
  /** Present if the model speaks; all other packs are chat models for WebLLM. */
  speech: v.optional(speechSchema),
  /** Path of WebLLM's model library among the files; for a speech model, of its ONNX graph. */
  modelLibrary: v.string(),
  /** GPU memory of the loaded model, weights and KV cache, bytes; 0 for a model that speaks. */
  gpuBytes: v.number(),
  files: v.array(fileSchema),
});

export type PackManifest = v.InferOutput<typeof version2Schema>;
export type PackVariant = PackManifest['variants'][number];
/** A manifest as it was before packs had several variants. */
export type ManifestOfVersion1 = v.InferOutput<typeof version1Schema>;

/**
 * `manifest.json` of a model pack: a folder that any static host can serve.
 *
 * Version 1 describes one variant, version 2 has all in `variants`. If builds that read only version 1 can
 * run one of them, the file has the fields of both versions, and its `version` is 1: so a tab of an older
 * build still starts after the site was updated.
 */
export const manifestSchema = v.union([
  version2Schema,
  v.pipe(version1Schema, v.transform(manifestFromVersion1)),
]);

export function manifestFromVersion1(old: ManifestOfVersion1): PackManifest {
  const { format, version, id, ownedBy, created, license, contextLength, features, speech } = old;
  const facts = { format, version, id, ownedBy, created, license, contextLength, features };
  const variants = [variantOfVersion1(old)];
  return speech
    ? { ...facts, task: 'speech', speech, variants }
    : { ...facts, task: 'chat', variants };
}

function variantOfVersion1(old: ManifestOfVersion1): PackVariant {
  const { quantization, revision, files, speech, modelLibrary, gpuBytes } = old;
  const shared = { quantization, revision, files };
  if (speech) return { ...shared, engine: 'onnx', needs: {}, graph: modelLibrary };
  const needs = {
    ...(computesInF16(quantization) && { shaderF16: true }),
    ...(gpuBytes > 0 && { memoryBytes: gpuBytes }),
  };
  return { ...shared, engine: 'webllm', needs, modelLibrary };
}

/** MLC names the type that a model computes in after the bits of its weights: `q4f16_1`. */
export function computesInF16(quantization: string): boolean {
  return /^q\d+f16/.test(quantization);
}
