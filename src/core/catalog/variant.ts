import type { BuiltInSampling } from '../realms/built-in.ts';
import type { GgufMemory } from '../files/gguf/memory-of-context.ts';
import type { Measurement } from '../fit/measurement.ts';
import type { PackFile } from './pack-file.ts';

/** What decides whether llama.cpp can run a model on a GPU. */
export interface GgufOnGpu {
  /** The largest tensor that the GPU computes with, bytes: it must be able to bind this much. */
  tensorBytes: number;
  /** What no GPU can compute, for people, e.g. `weights of the type BF16`; undefined: nothing. */
  lacks?: string;
}

/** A pack: a folder with a manifest, on this site or added by its URL. */
export interface PackSource {
  kind: 'pack';
  /** Absolute URL of the pack's folder. */
  url: string;
  /** Place in the site's list of packs; the first, 0, is the default model. */
  position: number;
  manifest: PackContents;
}

/** The manifest's facts about one variant's files. */
export interface PackContents {
  /** Changes with any byte of any file. */
  revision: string;
  /** Features, as in the catalog entry. */
  features: string[];
  files: PackFile[];
}

/** A repository on the hub. The engine knows which of its files it needs. */
export interface HubSource {
  kind: 'hub';
  /** `org/name`, e.g. `mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC`. */
  repository: string;
}

/** An MLC repository on the hub. */
export interface MlcSource extends HubSource {
  /** Path of the model library below the folder of WebLLM's prebuilt libraries. */
  library: string;
}

/** ONNX graphs on the hub, and the files that belong to them. */
export interface OnnxSource extends HubSource {
  files: HubFiles[];
}

/** A GGUF file in a repository on the hub. */
export interface GgufSource extends HubSource {
  /** Paths in the repository; of a split file, all parts in order. */
  paths: string[];
}

/** A file that any server sends, if it allows other sites to fetch it (CORS). */
export interface UrlSource {
  kind: 'url';
  /** Absolute; of a split file, all parts in order. */
  urls: string[];
}

/** A file that the visitor picked. The weight store has the only copy: it cannot be downloaded again. */
export interface LocalSource {
  kind: 'local';
  /** Name of the file, as the visitor sees it. */
  name: string;
  /** Changes with any byte of any file, as in Installation. */
  revision: string;
  /** The file; of a split file, all parts in order. */
  files: PackFile[];
}

/** The browser itself, which has a model. We store no file of it. */
export interface BrowserSource {
  kind: 'browser';
}

/** Files of one repository on the hub. */
export interface HubFiles {
  /** `org/name` of a model, or `datasets/org/name`. */
  repository: string;
  /** Paths; one that ends in `*` stands for all paths with that beginning. */
  paths: string[];
  /** Folder in which the model finds them, with "/" at its end; default: the model's own. */
  folder?: string;
}

/** The files of an installed variant in the weight store. */
export interface Installation {
  /** Changes with any byte of any file. */
  revision: string;
  /** Where each file comes from. */
  files: (PackFile & { url: string })[];
}

/** Why a download stopped. `message`: for people, if it failed. */
export type Stop = { why: 'paused' } | { why: 'failed'; message: string };

/** A download that has begun and is not done. */
export interface DownloadPlan extends Installation {
  /** Id of the variant that is being downloaded. */
  variant: string;
  /** Why it does not run; undefined: it runs, or its tab was closed. */
  stopped?: Stop;
}

/** What a device must have to run a variant. */
export interface Needs {
  /** The GPU feature `shader-f16`. */
  shaderF16?: boolean;
  /** The largest buffer that the GPU must be able to bind, bytes. */
  bufferBytes?: number;
  /** Memory of the loaded model, bytes; undefined: estimated from its files. */
  memoryBytes?: number;
}

interface VariantFacts {
  /** Unique among the variants of its entry, and the same in every version of the site. */
  id: string;
  /** The engine's name of the quantisation, e.g. `q4f16_1` or `q8`. */
  quantization: string;
  needs: Needs;
  /** Download size, bytes; approximate until it is installed. */
  bytes?: number;
  /** The installed files; set when all of them are in the weight store. */
  installed?: Installation;
  /** How fast it was when that was last measured. */
  measured?: Measurement;
}

/** Compiled and quantised by MLC, for WebLLM. */
export interface WebLlmVariant extends VariantFacts {
  engine: 'webllm';
  source: PackSource | MlcSource;
  /** Path of the model library, WebLLM's compiled kernels, among the variant's files. */
  modelLibrary: string;
  /** Overrides of the model's own configuration, as WebLLM's list has them. */
  overrides?: Record<string, unknown>;
}

/** ONNX graphs, for ONNX Runtime. */
export interface OnnxVariant extends VariantFacts {
  engine: 'onnx';
  source: PackSource | OnnxSource;
  /** Path of the graph among the variant's files; of several, the first that runs. */
  graph: string;
}

/** A GGUF file, for llama.cpp. */
export interface LlamaCppVariant extends VariantFacts {
  engine: 'llamacpp';
  source: PackSource | GgufSource | UrlSource | LocalSource;
  /** Paths among the variant's files; of a split file, all parts in order. */
  parts: string[];
  /** Path of the projector, with which the model sees images; undefined: it does not see. */
  projector?: string;
  /** Memory that the model takes; undefined: its header has not been read. */
  memory?: GgufMemory;
  /** What a GPU needs to run it; undefined: its header has not been read. */
  onGpu?: GgufOnGpu;
  /** Default sampling; undefined: the file says it, or nothing does. */
  sampling?: DefaultSampling;
  /** An embedder's prompts: name of the kind of text → prefix of such a text. The GGUF file does not have them. */
  prompts?: Record<string, string>;
}

/** The browser's own model. */
export interface BuiltInVariant extends VariantFacts {
  engine: 'builtin';
  source: BrowserSource;
  /** Undefined: requests cannot choose how it samples. */
  sampling?: BuiltInSampling;
}

/** How a model samples if a request does not choose it. */
export interface DefaultSampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  repetitionPenalty?: number;
}

/** One way to run a model: the engine, and the files that are made for it. */
export type Variant = WebLlmVariant | LlamaCppVariant | OnnxVariant | BuiltInVariant;

/** Where the files of a variant come from. */
export type Source = Variant['source'];

export type EngineName = Variant['engine'];

/** @returns the id of a variant, for entries with one variant for each engine and quantisation */
export function variantId(engine: Variant['engine'], quantization: string): string {
  return `${engine}-${quantization}`;
}

/** Whether these are still the files to install. A hub model stays at the commit that was installed. */
export function offersRevision({ source }: Variant, revision: string): boolean {
  return source.kind !== 'pack' || source.manifest.revision === revision;
}

export function totalBytes(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
