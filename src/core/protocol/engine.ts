import type { ApiErrorData } from './errors.ts';

/** A chat message as the chat template sees it: content already joined to one string. */
export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  name?: string;
  /** On an assistant's message: the calls it made beside its text. */
  toolCalls?: ToolCall[];
  /** On a tool's message: the call that it answers. */
  toolCallId?: string;
}

/** A call of a tool, as a model made it and a client sends it back. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON of an object. */
  arguments: string;
}

/** A function that the model may ask its caller to call. */
export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments, for the model to read. */
  parameters: Record<string, unknown>;
  /** EBNF, with the rule `root`, that the arguments keep to as JSON. */
  grammar: string;
}

/** The tools that a request offers, and how they may be used. */
export interface ToolOffer {
  tools: Tool[];
  /** `auto`: text or calls; `required`: calls; a name: one call of that tool; `none`: text. */
  choice: 'auto' | 'none' | 'required' | { name: string };
  /** Whether one answer may hold several calls. */
  parallel: boolean;
}

/** What the model reads: messages for its chat template, or raw text that goes in as it is. */
export type Prompt =
  | { kind: 'chat'; messages: TemplateMessage[]; templateOptions: Record<string, unknown> }
  | { kind: 'raw'; text: string };

/** Sampling parameters; undefined means the model's own default. Ranges are those of the API. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  /** Only so many of the likeliest tokens, from 1; undefined: all. */
  topK?: number;
  /** Only tokens at least this many times as likely as the likeliest, 0 to 1, at the temperature. */
  minP?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  repetitionPenalty?: number;
  /** Token id → bias, -100 to 100. */
  logitBias?: Record<string, number>;
  /** Any integer. */
  seed?: number;
}

/** A generation as the engine runs it. */
export interface GenerateJob {
  op: 'generate';
  model: string;
  prompt: Prompt;
  sampling: Sampling;
  /** Tokens at most; undefined means as many as the context holds. */
  maxTokens?: number;
  /**
   * EBNF, with the rule `root`, that the whole answer keeps to, thinking and calls aside; undefined:
   * free text.
   */
  grammar?: string;
  tools?: ToolOffer;
  /** Wait for the download of a model that is known and not installed, rather than fail. */
  autoInstall?: boolean;
  /** The output ends before the first of these; they are never emitted. */
  stop: string[];
  /** Whose request it is, e.g. the id of an API key: turns are fair between clients. */
  client?: string;
  /** How many alternatives to tell of beside each token of the text, 0 to 20; undefined: no logprobs. */
  topLogprobs?: number;
  /** How many answers, one after the other, each ended by its own `finish`; undefined: one. */
  choices?: number;
  /** Tell by `written` what the model writes, so that another engine can go on from there. */
  checkpoints?: boolean;
  /** What another engine has written of the answer. Its events are given again, from the first on. */
  written?: WrittenPiece[];
}

/** A piece of what a model wrote, raw. */
export interface WrittenPiece {
  text: string;
  /** Tokens of the answer up to its end. */
  tokens: number;
}

/** WAV: RIFF, 16-bit PCM, mono. MP3: MPEG audio layer III, mono. */
export type AudioFormat = 'wav' | 'mp3';

/** A text to be spoken, as the engine runs it. */
export interface SpeakJob {
  op: 'speak';
  model: string;
  text: string;
  /** Id of one of the model's voices. */
  voice: string;
  /** One of the voice's languages, as the catalog writes it. */
  language: string;
  /** 0.25 to 4; the pitch stays. */
  speed: number;
  format: AudioFormat;
  /** As in GenerateJob. */
  autoInstall?: boolean;
  /** As in GenerateJob. */
  client?: string;
}

/** Everything the engine host does for a client. Any page or the service worker may ask for any. */
export type Job =
  | GenerateJob
  | SpeakJob
  /** Ends when the model is in GPU memory. */
  | { op: 'load'; model: string }
  | { op: 'unload'; model: string }
  /** Never ends by itself: the model is in memory, however long nobody asks it anything. */
  | { op: 'keep'; model: string }
  /**
   * Downloads a model into the weight store; all who want the same one share a download. `makeRoom`:
   * where there is no space, the models that were not used for longest are removed.
   */
  | { op: 'install'; model: string; makeRoom?: boolean }
  /** Ends a running download for everyone who waits for it. What has come stays. */
  | { op: 'pause'; model: string }
  /** Removes a model's weights from the weight store, and what has come of them. */
  | { op: 'remove'; model: string }
  /** Adds a model to the catalog: a repository on the hub, or the URL of a pack. Reports its id. */
  | { op: 'add'; source: string }
  /** Ends after the present state of every model that something has happened to. */
  | { op: 'states' }
  /** Never ends by itself: progress of everything the engine does, and first the present state. */
  | { op: 'watch' };

export interface Usage {
  /** The whole prompt, cached part included. */
  promptTokens: number;
  completionTokens: number;
  /** How many of promptTokens the KV cache already held. */
  cachedTokens: number;
  /** How many of completionTokens were thinking; undefined on models that do not think. */
  reasoningTokens?: number;
}

/** A token and how likely the model itself holds it to be: before any mask, bias, penalty, temperature. */
export interface TokenChance {
  /** Halves of characters as U+FFFD. */
  token: string;
  /** UTF-8. */
  bytes: number[];
  /** Natural logarithm of the probability. */
  logprob: number;
}

/** A token of an answer's text. */
export interface TokenLogprob extends TokenChance {
  /** The likeliest tokens at its place, best first. */
  top: TokenChance[];
}

/** `tool_calls`: the model ended its turn by itself, with calls. */
export type FinishReason = 'stop' | 'length' | 'tool_calls';

export type ProgressStage =
  | 'download'
  /** A download has stopped before its end. */
  | 'paused'
  /** A download is done. */
  | 'installed'
  | 'load'
  /** In GPU memory. */
  | 'ready'
  | 'unloaded'
  | 'failed';

/** How far a model is. Bytes are those of the stage; total is 0 while it is not known. */
export interface Progress {
  model: string;
  stage: ProgressStage;
  loadedBytes: number;
  totalBytes: number;
  /** Of a download, over its last seconds; undefined while there is no telling. */
  bytesPerSecond?: number;
  /** Until a download is done, at that speed. */
  secondsLeft?: number;
  /** For people: what happens now, or what failed. */
  text: string;
}

/** What a job reports while it runs, in order. Each answer of a generation ends with `finish`, a speech with `spoken`. */
export type JobEvent =
  /** The prompt has been read: sent with the first token at the latest. */
  | { type: 'start' }
  /** A checkpoint, before the events of what was written. */
  | { type: 'written'; piece: WrittenPiece }
  /** What the model thinks before it answers, without its marks. */
  | { type: 'reasoning'; text: string }
  /** With `logprobs`, the tokens that the text is made of: all their bytes together are its own. */
  | { type: 'text'; text: string; logprobs?: TokenLogprob[] }
  /** A call begins; `index` counts the answer's calls from 0. */
  | { type: 'tool-call'; index: number; id: string; name: string }
  /** The next piece of the JSON of a call's arguments. */
  | { type: 'tool-arguments'; index: number; text: string }
  | { type: 'finish'; reason: FinishReason; usage: Usage }
  /** The next bytes of the audio file, its header first; sent sentence by sentence. */
  | { type: 'audio'; bytes: Uint8Array<ArrayBuffer> }
  /**
   * Every byte of the audio file has been sent. `header` is what its first bytes would have been, had its
   * length been known when they were sent.
   */
  | { type: 'spoken'; seconds: number; header: Uint8Array<ArrayBuffer> }
  /** Of `keep`: the model is in memory now. */
  | { type: 'kept' }
  /** A model is in the catalog now, if it was not before. */
  | { type: 'added'; model: string }
  | { type: 'progress'; progress: Progress };

/**
 * The seam between the API and whatever generates. Iterating runs the job; an abort of the signal
 * cancels it: the iterator then ends by throwing the signal's reason. Failures are thrown as ApiError.
 */
export interface Engine {
  run(job: Job, signal: AbortSignal): AsyncIterable<JobEvent>;
}

/** Client → engine host, over a MessagePort. Ids are unique per port. */
export type ToHost =
  /** The Web Lock the client holds as long as it lives: what it asked for ends with it. */
  | { type: 'hello'; lock: string }
  | { type: 'run'; id: number; job: Job }
  | { type: 'cancel'; id: number }
  /** The client ends: its jobs are cancelled, and the port is closed. */
  | { type: 'bye' };

/** Engine host → client. Exactly one `done` or `failed` ends each id. */
export type FromHost =
  /** First message: the host is set up. With the Web Lock it holds as long as it lives, if it has one. */
  | { type: 'hello'; lock?: string }
  /** Instead of hello: the host could not be set up. */
  | { type: 'refused'; error: ApiErrorData }
  | { type: 'event'; id: number; event: JobEvent }
  | { type: 'done'; id: number }
  | {
      type: 'failed';
      id: number;
      error: ApiErrorData;
      /** The host will be replaced for it: its lock is about to be released. */
      broken?: true;
    };
