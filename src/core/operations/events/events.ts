import type { SpeakEvent, TranscribeEvent } from './audio-events.ts';
import type { Drafts } from '../drafts.ts';
import type { CacheWrites, PromptsEvent } from '../prompt-caching.ts';
import type { BuiltInFacts } from '../../realms/built-in.ts';
import type {
  AddedEvent,
  DeviceEvent,
  FoundEvent,
  ListedEvent,
  MeasuredEvent,
} from './catalog-events.ts';
import type { FilesEvent, ReadPdfEvent } from '../jobs/file-jobs.ts';
import type { Decision, Operation, WrittenPiece } from '../jobs/jobs.ts';
import type { McpEvent } from '../jobs/mcp-job.ts';
import type { ProgressEvent } from './progress-events.ts';
import type { DividedEvent, EmbedEvent, RerankEvent } from './retrieval-events.ts';
import type { ChunksEvent, MembersEvent, StoresEvent } from '../jobs/store-jobs.ts';

export type { HeardSegment } from './audio-events.ts';
export type { SpeakEvent, TranscribeEvent };
export type { DividedChunk } from './retrieval-events.ts';
export type { DividedEvent, EmbedEvent, RerankEvent };
export type { AddedEvent, DeviceEvent, FoundEvent, ListedEvent, MeasuredEvent };
export type { Progress, ProgressEvent, ProgressStage } from './progress-events.ts';

export interface Usage {
  /** The whole prompt, cached part included. */
  promptTokens: number;
  completionTokens: number;
  /** How many of promptTokens the KV cache already held. */
  cachedTokens: number;
  /** How many of the other promptTokens were put into copies at breakpoints; undefined: none. */
  cacheWrites?: CacheWrites;
  /** How many of promptTokens are of images, the cached ones included; undefined: it has no images. */
  imageTokens?: number;
  /** How many of promptTokens are of sound; undefined: it has no recordings. */
  audioTokens?: number;
  /** How many of completionTokens were thinking; undefined on models that do not think. */
  reasoningTokens?: number;
  /** Tokens that were computed before it was certain that they are written, by what proposed them; undefined: none. */
  drafts?: Drafts;
}

/** The part of the usage that is known when the model begins to write. */
export type PromptUsage = Pick<
  Usage,
  'promptTokens' | 'cachedTokens' | 'cacheWrites' | 'imageTokens'
>;

/** How far a prompt has been read. */
export interface PromptProgress extends PromptUsage {
  /** The cached part included. */
  readTokens: number;
}

/** A token and its probability in the model's own distribution: before mask, bias, penalties, temperature. */
export interface TokenChance {
  /** Incomplete characters as U+FFFD. */
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

/**
 * The tokens of a prompt, in order. The tokens at its beginning are unscored, unless the model reads a token of
 * its own before each prompt.
 */
export interface ScoredPrompt {
  unscored: Omit<TokenChance, 'logprob'>[];
  scored: TokenLogprob[];
}

/** `tool_calls`: the model ended its turn by itself, with calls. */
export type FinishReason = 'stop' | 'length' | 'tool_calls';

/** A piece of an answer. */
interface Piece {
  text: string;
  /** Tokens of the answer so far, if they are to be counted. */
  tokens?: number;
}

/** Sampling as it is used, with the model's own defaults. */
export interface UsedSampling {
  temperature: number;
  topP: number;
}

/** What a generation reports, in order. Each answer ends with `finish`. */
export type GenerateEvent =
  /**
   * The request waits for its turn behind this many others; 0: its turn has come. A job that asks for it is told each
   * change.
   */
  | { type: 'queued'; before: number }
  /** A part of the prompt has been read. */
  | { type: 'reading'; prompt: PromptProgress }
  /** Sent before the first answer, if it was asked for. */
  | { type: 'scored'; prompt: ScoredPrompt }
  /** The prompt has been read: sent with the first token at the latest. */
  | { type: 'start'; prompt?: PromptUsage; sampling?: UsedSampling }
  /** A checkpoint: sent before the events that the piece is parsed into. */
  | { type: 'written'; piece: WrittenPiece }
  /** What the model thinks before it answers, without the marks around it. */
  | (Piece & { type: 'reasoning' })
  /** Text of the answer. If logprobs were asked for, they are of its tokens, whose bytes make up its bytes. */
  | (Piece & { type: 'text'; logprobs?: TokenLogprob[] })
  /** A call begins; `index` counts the answer's calls from 0. */
  | { type: 'tool-call'; index: number; id: string; name: string }
  /** The next piece of the JSON of a call's arguments. */
  | (Piece & { type: 'tool-arguments'; index: number })
  | {
      type: 'finish';
      reason: FinishReason;
      /** The stop string that ended the answer; undefined: none did. */
      stop?: string;
      /** Whether an answer with fewer than `maxTokens` was cut because the end of its thought had no place any more. */
      isTight?: boolean;
      usage: Usage;
    };

/** What decisions report. */
export interface DecideEvent {
  type: 'decided';
  /** In the order of the questions. */
  decisions: Decision[];
  /** The input counts once, each question as often as it was read. */
  usage: PromptUsage;
}

/** A text and its tokens. */
export interface TokensEvent {
  type: 'tokens';
  ids: number[];
  /** Number of tokens, if the model tells only that; `ids` is then empty. */
  count?: number;
  text: string;
  /** Text of each token, if it was asked for. */
  pieces?: string[];
  /** Most tokens that the model's context holds. */
  contextLength: number;
}

/** The recalled values, in the order of their ids; undefined for values that are not in memory. */
export interface RecalledEvent {
  type: 'recalled';
  values: unknown[];
}

/** The model is in memory. */
export interface KeptEvent {
  type: 'kept';
}

/** The browser's facts about its own model. */
export interface BuiltInEvent {
  type: 'built-in';
  facts: BuiltInFacts;
}

/** Counters and gauges. */
export interface MetricsEvent {
  type: 'metrics';
  /** In Prometheus' text format. */
  text: string;
  /** How many requests wait for these models or are being answered by them. */
  requests: number;
}

/** What each operation reports while it runs. */
interface Events {
  generate: GenerateEvent;
  decide: DecideEvent;
  speak: SpeakEvent;
  embed: EmbedEvent;
  rerank: RerankEvent;
  transcribe: TranscribeEvent;
  tokens: TokensEvent;
  memory: RecalledEvent;
  files: FilesEvent;
  stores: StoresEvent;
  members: MembersEvent;
  'find-chunks': ChunksEvent;
  mcp: McpEvent;
  prompts: PromptsEvent;
  divide: DividedEvent;
  'read-pdf': ReadPdfEvent;
  metrics: MetricsEvent;
  load: never;
  unload: never;
  keep: KeptEvent;
  open: never;
  heap: { type: 'heap'; bytes: number };
  close: never;
  install: never;
  pause: never;
  remove: never;
  add: AddedEvent;
  list: ListedEvent;
  inspect: ListedEvent;
  search: FoundEvent;
  measure: MeasuredEvent;
  device: DeviceEvent;
  'built-in': BuiltInEvent;
  states: ProgressEvent;
  watch: ProgressEvent;
}

export type EventOf<Op extends Operation> = Events[Op];
export type JobEvent = EventOf<Operation>;

/** The operations that report something. */
type Reporting = { [Op in Operation]: [EventOf<Op>] extends [never] ? never : Op }[Operation];

/** The operations whose only event has their own name. The table of types leaves them out: every visitor downloads it. */
type SelfNamed = { [Op in Reporting]: EventOf<Op>['type'] extends Op ? Op : never }[Reporting];

const EVENT_TYPES: { [Op in Exclude<Reporting, SelfNamed>]: Record<EventOf<Op>['type'], true> } = {
  generate: {
    queued: true,
    reading: true,
    scored: true,
    start: true,
    written: true,
    text: true,
    reasoning: true,
    'tool-call': true,
    'tool-arguments': true,
    finish: true,
  },
  decide: { decided: true },
  speak: { audio: true, spoken: true },
  embed: { encoded: true, vectors: true, embedded: true },
  rerank: { encoded: true, scores: true, ranked: true },
  transcribe: { heard: true, transcribed: true },
  memory: { recalled: true },
  keep: { kept: true },
  add: { added: true },
  list: { listed: true },
  inspect: { listed: true },
  search: { found: true },
  measure: { measured: true },
  states: { progress: true },
  watch: { progress: true },
};

/** Whether an operation reports such events. An engine of a newer build may send types unknown here. */
export function isEventOf<Op extends Operation>(op: Op, event: JobEvent): event is EventOf<Op> {
  const types: Partial<Record<Operation, object>> = EVENT_TYPES;
  return Object.hasOwn(types[op] ?? { [op]: true }, event.type);
}
