import type { GpuFault } from '../../core/fit/load-record.ts';
import type { KvCacheType } from '../../core/realms/kv-cache-type.ts';
import type { ApiErrorData } from '../../core/errors/errors.ts';
import type { PromptProgress } from '../../core/operations/events/events.ts';
import type { Sampling } from '../../core/operations/jobs/jobs.ts';
import type { PromptImages } from '../conversation/prompt/prompt-images.ts';
import type { SampledToken } from '../conversation/sampling/sampler.ts';
import type { Generation, RawFinish } from '../conversation/text-model.ts';
import type { StateOf } from '../kept-prompts/prompts-database.ts';
import type { TokenizerFacts } from '../conversation/prompt/tokenizer-files.ts';
import type { ModelPart } from './model-files.ts';

/** Engine worker → the worker of one model. */
export type ToModelWorker =
  | { type: 'load'; request: LoadModel }
  /** The next bytes of a part that was loaded without a Blob. Each piece is a whole buffer. */
  | { type: 'fill'; part: number; pieces: Uint8Array<ArrayBuffer>[] }
  /** The prompt that will probably be first. While weights arrive, it is read as far as they permit. */
  | { type: 'expect'; prompt: string }
  /** Begins a generation. Up to `LoadedModel.together` run at once; others wait. */
  | { type: 'generate'; id: number; request: Generate }
  /** Ends the generation within one token, 32 tokens of its prompt, or a step of encoding an image. */
  | { type: 'stop'; id: number }
  /** Empties the KV caches that only this request may use, after its earlier generations. */
  | { type: 'forget'; request: number }
  /** Asks for the tokens of a prompt. The answer does not wait for generations. */
  | { type: 'encode'; id: number; text: string; images: PromptImages | undefined }
  /** Asks for the bytes of all tokens. */
  | { type: 'vocabulary' };

/** The worker of one model → engine worker. */
export type FromModelWorker =
  /** Sent once, at the start: the Web Lock that the worker holds as long as it lives. */
  | { type: 'alive'; lock: string }
  /** The part of the model that is loaded, 0 to 1. */
  | { type: 'loading'; done: number }
  /** The pieces of a `fill` have been copied. Their memory is returned. */
  | { type: 'filled'; pieces: Uint8Array<ArrayBuffer>[] }
  /** Sent before `loaded` on the CPU if the files are being downloaded: the headers have arrived. */
  | { type: 'opened'; model: LoadedModel }
  | { type: 'loaded'; model: LoadedModel }
  /** A part of the prompt has been read. */
  | { type: 'progress'; id: number; prompt: PromptProgress }
  | { type: 'text'; id: number; piece: WrittenText }
  /** The generation has ended. */
  | { type: 'ended'; id: number; outcome: Outcome; warm: WarmTexts }
  | { type: 'encoded'; id: number; tokens: number[] }
  /** The prompt has an image that cannot be decoded. */
  | { type: 'unencodable'; id: number; data: ApiErrorData }
  | { type: 'vocabulary'; tokens: TokenTable }
  /** A request other than a generation failed. */
  | { type: 'failed'; failure: WorkerFailure };

export interface LoadModel {
  parts: ModelPart[];
  /** The image projector (mmproj). Its index in `fill` follows the last part's. */
  projector?: ModelPart | undefined;
  /** Tokens. */
  contextLength: number;
  /** Undefined: `f16`. */
  kvCacheType?: KvCacheType | undefined;
  /** How many threads compute on the CPU; undefined: as many as are fastest. */
  threads: number | undefined;
  /** URL of the site's folder, and what names the model among those whose prompts are kept there. */
  kept: { base: string } & Omit<StateOf, 'build'>;
  /** The GPU computes, with what the database of the site's folder knows of it; undefined: the CPU. */
  onGpu?: { base: string } | undefined;
}

export interface Generate {
  prompt: string;
  generation: Generation;
  /** Ids of this answer's tokens that another worker has written. The answer continues after them. */
  written: number[];
  /** Whether there may be one more KV cache than now. */
  mayAddCache: boolean;
  /** Whether copies at breakpoints may take more memory than now; undefined: no. */
  mayGrowSnapshots?: boolean;
}

/** Facts about a model, from its files and from loading it. */
export interface LoadedModel {
  tokenizer: TokenizerFacts;
  /** The file's own sampling defaults. */
  sampling: Sampling;
  /** Whether decoding drops the space that an answer's first token begins with. */
  stripsFirstSpace: boolean;
  vocabularySize: number;
  /** Tokens. */
  contextLength: number;
  stopTokenIds: readonly number[];
  /** Memory of each KV cache, bytes. */
  cacheBytes: number;
  /** How many generations run at once. */
  together: number;
  /** Why the CPU computes the images of a model that is on the GPU; undefined: the GPU does. */
  imagesOnCpu?: string;
}

/** Whole characters, and the tokens that make them. */
export interface WrittenText {
  text: string;
  /** Ids of all tokens since the last text. */
  ids: number[];
  /** These tokens with their probabilities, if logprobs were asked for. */
  tokens: SampledToken[];
}

/** The state of the KV caches. */
export interface WarmTexts {
  /** The text in each KV cache that is in use. */
  texts: string[];
  /** How many KV caches there are. */
  caches: number;
  /** Memory of the copies at breakpoints, bytes. */
  snapshotBytes: number;
}

/** The bytes of all tokens, one after the other. */
export interface TokenTable {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each token's bytes end. */
  ends: Uint32Array<ArrayBuffer>;
}

export type Outcome =
  { kind: 'finished'; finish: RawFinish } | { kind: 'failed'; failure: WorkerFailure };

export type WorkerFailure =
  | { kind: 'api'; data: ApiErrorData }
  /** The grammar does not compile. */
  | { kind: 'constraint'; message: string }
  /** The model's file is wrong, or llama.cpp cannot use it. */
  | { kind: 'file'; message: string }
  | { kind: 'memory'; message: string }
  /** The GPU has failed. The CPU can compute the model. */
  | { kind: 'gpu'; message: string; fault: GpuFault }
  /** The worker's state is unknown. */
  | { kind: 'broken'; message: string };
