import * as v from 'valibot';
import { calibrationSchema } from './calibration-schema.ts';
import type { Embedding, Transcription } from './catalog-entry.ts';
import type { PackFile } from './pack-file.ts';
import type { Speech } from './speech.ts';

const voiceSchema = v.object({
  id: v.string(),
  name: v.string(),
  languages: v.pipe(v.array(v.string()), v.minLength(1)),
  gender: v.optional(v.picklist(['female', 'male'])),
});

/** Schema of `Speech`. The type has a file of its own so that the package's declarations need no valibot. */
const speechSchema = v.object({
  family: v.picklist(['kokoro', 'piper', 'vits', 'speecht5', 'supertonic']),
  voices: v.pipe(v.array(voiceSchema), v.minLength(1)),
  aliases: v.optional(v.record(v.string(), v.string())),
  sampleRate: v.number(),
}) satisfies v.GenericSchema<unknown, Speech>;

const fileSchema = v.object({
  path: v.string(),
  size: v.number(),
  sha256: v.optional(v.string()),
  pieces: v.optional(v.array(v.string())),
}) satisfies v.GenericSchema<unknown, PackFile>;

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
  memory: v.object({
    weightBytes: v.number(),
    tokenBytes: v.number(),
    q8TokenBytes: v.exactOptional(v.number()),
    bufferBytes: v.number(),
  }),
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

const manifestEntries = {
  format: v.literal('slashv1-pack'),
  version: v.literal(1),
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

/** `manifest.json` of a model pack: a folder that any static host can serve. */
export const manifestSchema = v.variant('task', [
  v.object({ ...manifestEntries, task: v.literal('speech'), speech: speechSchema }),
  v.object({ ...manifestEntries, task: v.literal('embedding'), embedding: embeddingSchema }),
  v.object({
    ...manifestEntries,
    task: v.literal('transcription'),
    transcription: transcriptionSchema,
  }),
  v.object({
    ...manifestEntries,
    task: v.literal('chat'),
    /** How its decisions are calibrated, if that was measured. */
    calibration: v.exactOptional(calibrationSchema),
  }),
  v.object({ ...manifestEntries, task: v.literal('rerank') }),
]);

export type PackManifest = v.InferOutput<typeof manifestSchema>;
export type PackVariant = PackManifest['variants'][number];
