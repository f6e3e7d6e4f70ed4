/** The dictionaries of the Prompt API: https://webmachinelearning.github.io/prompt-api/ */

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export type LanguageModelMessageRole = 'system' | 'user' | 'assistant';

/** Messages of all types but `text` are refused with a `NotSupportedError`. */
export type LanguageModelMessageType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response';

export interface LanguageModelMessageContent {
  type: LanguageModelMessageType;
  value: unknown;
}

export interface LanguageModelMessage {
  role: LanguageModelMessageRole;
  content: string | LanguageModelMessageContent[];
  /** The answer continues this message: only for an assistant's message at the end of a prompt. */
  prefix?: boolean;
}

/** A string is short for one message of the user. */
export type LanguageModelPrompt = string | LanguageModelMessage[];

export interface LanguageModelExpected {
  type: LanguageModelMessageType;
  /** BCP-47. */
  languages?: string[];
}

export type LanguageModelSamplingMode =
  | 'most-predictable'
  | 'predictable'
  | 'slightly-predictable'
  | 'balanced'
  | 'slightly-creative'
  | 'creative'
  | 'most-creative';

export interface LanguageModelCreateCoreOptions {
  /** From 1 to `maxTopK`; larger numbers are lowered to it, fractions are cut off. Not together with `samplingMode`. */
  topK?: number;
  /** From 0 to `maxTemperature`; larger numbers are lowered to it. Not together with `samplingMode`. */
  temperature?: number;
  /** Default: `balanced`, which is the model's own sampling. */
  samplingMode?: LanguageModelSamplingMode;
  expectedInputs?: LanguageModelExpected[];
  expectedOutputs?: LanguageModelExpected[];
  /** Not supported: anything but an empty list makes the model `unavailable`. */
  tools?: readonly object[];
}

/** Gets `downloadprogress` events: `loaded` is between 0 and 1, `total` is 1. */
export interface CreateMonitor extends EventTarget {
  ondownloadprogress: ((event: ProgressEvent) => unknown) | null;
}

export interface LanguageModelCreateOptions extends LanguageModelCreateCoreOptions {
  /** Rejects `create` when it aborts, or destroys the session once there is one. */
  signal?: AbortSignal;
  monitor?: (monitor: CreateMonitor) => void;
  /** Messages that are never dropped when the context overflows. */
  initialPrompts?: LanguageModelMessage[];
}

export interface LanguageModelPromptOptions {
  /** A JSON Schema or a RegExp that the answer fits. */
  responseConstraint?: object;
  /** Whether the constraint is kept out of the prompt. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}

export type LanguageModelAppendOptions = Pick<LanguageModelPromptOptions, 'signal'>;
export type LanguageModelCloneOptions = Pick<LanguageModelPromptOptions, 'signal'>;

export interface LanguageModelParams {
  readonly defaultTopK: number;
  readonly maxTopK: number;
  readonly defaultTemperature: number;
  readonly maxTemperature: number;
}
