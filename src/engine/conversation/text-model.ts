import type {
  FinishReason,
  PromptProgress,
  PromptUsage,
  Usage,
} from '../../core/operations/events/events.ts';
import type { PromptDisk } from '../../core/operations/jobs/job-parts.ts';
import type { Ending, Sampling } from '../../core/operations/jobs/jobs.ts';
import type { Breakpoint } from './prompt/breakpoints.ts';
import type { OutputConstraint } from './constraint/output-constraint.ts';
import type { PromptImages } from './prompt/prompt-images.ts';
import type { SampledToken } from './sampling/sampler.ts';

/**
 * A text model in memory, as an engine offers it: prompt text in, raw text out. Everything above it
 * (chat templates, tools, reasoning, stop strings) is the same for all engines.
 */
export interface TextModel {
  /**
   * Generates until the model ends its turn or `maxTokens` are reached. As many generations run at a time as `together`
   * says. An abort of the signal takes effect within one token. The last event is the finish.
   *
   * @throws ApiError 400 context_length_exceeded if the prompt does not fit; ConstraintError if the
   *   constraint does not compile
   */
  generate(
    prompt: string,
    generation: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void>;
  /** How many generations may run at a time; undefined: one. */
  readonly together?: number;
  /** Whether a KV cache already holds most of the prompt. */
  isWarm(prompt: string): boolean;
  /** Whether the reading of a prompt that was interrupted continues when the prompt is sent again; undefined: no. */
  readonly keepsReading?: boolean;
  /** Whether prompts may have images; undefined: no. */
  readonly sees?: boolean;
  /** The model's tokenizer; undefined: the engine gives no access to it. */
  readonly tokenizer: Tokenizer | undefined;
  /** Memory taken since loading, bytes: KV caches of further conversations. */
  readonly extraBytes: number;
  /**
   * Frees as much of the extra memory as the engine can, at once or when the running generation ends. The rest
   * of `extraBytes` is free only after `unload`.
   */
  releaseExtra(): void;
  /** Empties the KV caches that only this request may use: see `Caching`. */
  forget(request: number): void;
  /** Frees all memory of the model. It cannot be used afterwards. */
  unload(): Promise<void>;
}

/** A model's own tokenizer. */
export interface Tokenizer {
  /**
   * The tokens of a prompt, as the model reads it: text that spells a control token is that token. Tokens
   * of an image are negative numbers; images are not encoded for that.
   */
  encode(text: string, images?: PromptImages): Promise<number[]>;
  decode(ids: readonly number[]): Promise<string>;
  /** The text of each token. */
  pieces(ids: readonly number[]): Promise<string[]>;
}

/** What a generation reports: raw, nothing parsed, nothing cut. */
export type RawEvent =
  /** A part of the prompt has been read. */
  | { type: 'progress'; read?: PromptProgress | undefined }
  | {
      type: 'text';
      text: string;
      /** The tokens sampled for this piece, if logprobs were asked for. */
      tokens: SampledToken[];
      /** Tokens sampled so far in this generation; undefined if the engine does not know. */
      count: number | undefined;
      /** Whether a token of this piece, or one sampled just before it, is left out of the text; undefined: none is. */
      hides?: boolean;
      /** Usage of the prompt; undefined: the engine does not know it. */
      prompt?: PromptUsage | undefined;
    }
  | RawFinish;

/** @param interrupt - ends the generation within one token; it still emits its last events */
export type EmitRaw = (event: RawEvent, interrupt?: () => void) => void;

export interface RawFinish {
  type: 'finish';
  reason: FinishReason;
  /** See GenerateEvent. */
  isTight?: boolean;
  usage: Usage;
}

/** How a text model is asked to generate. */
export interface Generation {
  /** The job's sampling, with the model's own defaults filled in. */
  sampling: Sampling & { temperature: number };
  /** Images that the prompt refers to; undefined: none. */
  images?: PromptImages | undefined;
  /** Where the random generator starts. */
  random: RandomStart;
  maxTokens?: number | undefined;
  /** What ends the output beside `maxTokens`; stop tokens of the request are not part of the text. */
  ending?: Ending | undefined;
  /** What the output has to match. */
  constraint?: OutputConstraint | undefined;
  /**
   * Texts of control tokens by id. They are left out of the text, and a constraint excludes them.
   * Undefined: none.
   */
  hidden?: ReadonlyMap<number, string> | undefined;
  /**
   * Ids of the tokens that the output must begin with; none of them ends the output.
   * Undefined: none.
   */
  forced?: readonly number[] | undefined;
  /** What the client thinks that the output will be. It changes only the speed. Undefined: the client did not say. */
  prediction?: string | undefined;
  /** How many alternatives to note at each token; undefined: no logprobs. */
  topLogprobs?: number | undefined;
  /** Ids of tokens whose probability to note at each token; undefined: none. Needs `topLogprobs`. */
  asked?: readonly number[] | undefined;
  /**
   * Characters of the prompt that the next prompts begin with, too: the KV cache keeps them. Undefined: the prompt is one of
   * a conversation, which continues it.
   */
  shared?: number | undefined;
  caching?: Caching | undefined;
}

/** How the prompts of a request use KV caches. It changes only the speed. */
export interface Caching {
  /** The client, e.g. the id of an API key: copies at breakpoints are its own. */
  client: string;
  /** Caches of prompts with the same key, of the same client, are preferred; undefined: it has none. */
  key?: string | undefined;
  /** Where copies are kept, in the order of the text; undefined: nowhere. */
  breakpoints?: readonly Breakpoint[] | undefined;
  /**
   * The request's number: no other request uses its caches, and it uses no others' but copies at breakpoints, if it has
   * breakpoints itself. Undefined: caches are shared.
   */
  request?: number | undefined;
  /** Where copies at breakpoints may be kept on disk, and found; undefined: nowhere. */
  disk?: PromptDisk | undefined;
}

/** A state of the random generator, in terms that every engine can turn into its own. */
export interface RandomStart {
  /** Any integer that JSON can hold. */
  seed: number;
  /** Which of the request's answers it is for, from 0. */
  choice: number;
  /** Tokens of this answer that were sampled before: one number is drawn for each. */
  drawn: number;
}
