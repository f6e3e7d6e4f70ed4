import * as v from 'valibot';

const fileSchema = v.object({
  /** Path inside the pack, "/" separated. */
  path: v.string(),
  size: v.number(),
  /** Hex SHA-256 of the file, or undefined where the source does not know it. */
  sha256: v.optional(v.string()),
});

const voiceSchema = v.object({
  /** As requests name it, e.g. `af_heart`. */
  id: v.string(),
  /** For people, e.g. `Heart`. */
  name: v.string(),
  /** BCP-47 tags of what it can speak, e.g. `en-US`; the first is its own. */
  languages: v.pipe(v.array(v.string()), v.minLength(1)),
  gender: v.optional(v.picklist(['female', 'male'])),
});

const speechSchema = v.object({
  /** Which adapter runs it. */
  family: v.picklist(['kokoro', 'piper', 'vits', 'speecht5', 'supertonic']),
  /** The first is the one that is offered first. */
  voices: v.pipe(v.array(voiceSchema), v.minLength(1)),
  /** Hertz. */
  sampleRate: v.number(),
});

/** What a model that speaks can do; a model without it writes text. */
export type Speech = v.InferOutput<typeof speechSchema>;
export type Voice = v.InferOutput<typeof voiceSchema>;

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
  /** What the model can do beyond text, as the API's `supported_features` names it. */
  features: v.optional(v.array(v.string()), []),
  /** Of a model that speaks. */
  speech: v.optional(speechSchema),
  /** Path of the model library among the files; of a model that speaks, of its ONNX graph. */
  modelLibrary: v.string(),
  /** GPU memory that the loaded model takes, bytes, weights and KV cache; 0 of a model that speaks. */
  gpuBytes: v.number(),
  files: v.array(fileSchema),
});

export type PackManifest = v.InferOutput<typeof manifestSchema>;
export type PackFile = v.InferOutput<typeof fileSchema>;

/** Where a model that is no pack of this site comes from. */
export interface HubSource {
  kind: 'hub';
  /** Repository on the hub, e.g. `mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC`. */
  repository: string;
  /** Path of the model library below the folder of WebLLM's prebuilt libraries. */
  modelLibrary: string;
  /** Whether the GPU must have `shader-f16`. */
  needsF16: boolean;
}

/** Files of one repository on the hub. */
export interface HubFiles {
  /** `org/name` of a model, or `datasets/org/name`. */
  repository: string;
  /** Paths; one that ends in `*` stands for all that begin so. */
  paths: string[];
  /** Folder that the model finds them in, with "/" at its end; default: the model's own. */
  folder?: string;
}

/** ONNX graphs on the hub, and what belongs to them. */
export interface OnnxSource {
  kind: 'onnx';
  /** `org/name` of the model's own repository. */
  repository: string;
  files: HubFiles[];
}

export interface PackSource {
  kind: 'pack';
  /** Absolute URL of the pack's folder. */
  url: string;
  /** Place in the site's list of packs; the first, 0, is the default model. */
  position: number;
  manifest: PackManifest;
}

/** What the weight store needs to hold all of a model. */
export interface Installation {
  revision: string;
  /** Path → where it comes from; the model library among them. */
  files: (PackFile & { url: string })[];
  modelLibrary: string;
}

/** A model as the catalog knows it. */
export interface CatalogEntry {
  id: string;
  source: HubSource | OnnxSource | PackSource;
  /** Somebody has added it: no list of the site's or of ours has to name it. */
  added?: boolean;
  /** Set when every file is in the weight store. */
  installed?: Installation;
  ownedBy: string;
  /** Unix seconds. */
  created: number;
  quantization: string;
  /** Tokens. */
  contextLength: number;
  /** As in the manifest; of a hub model known once it is installed. */
  features?: string[];
  /** Set on models that speak, and only on them. */
  speech?: Speech;
  /** Overrides of the model's own configuration, as WebLLM's list has them. */
  overrides?: Record<string, unknown>;
  /** Download size, bytes. */
  bytes?: number;
  /** GPU memory when loaded, bytes. */
  gpuBytes?: number;
  /** The largest buffer that the GPU must be able to bind, bytes. */
  bufferBytes?: number;
  license?: string;
}

/** Can be served now: it is in the store, or comes with the site. */
export function isServable(entry: CatalogEntry): boolean {
  return entry.installed !== undefined || isEmbedded(entry);
}

/** A pack of this site's: it is downloaded when it is first asked for. */
export function isEmbedded({ source, added }: CatalogEntry): boolean {
  return source.kind === 'pack' && added !== true;
}
