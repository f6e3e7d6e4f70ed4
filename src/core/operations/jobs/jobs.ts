import type { SpeakRequest, TranscribeRequest } from './audio-jobs.ts';
import type { DecisionQuestion } from './decide-job.ts';
import type { FilesRequest, ReadPdfRequest } from './file-jobs.ts';
import type { ClientRights, Repeatable } from './job-parts.ts';
import type {
  AddRequest,
  DeviceRequest,
  InstallRequest,
  LoadRequest,
  MeasureRequest,
  MemoryRequest,
  MetricsRequest,
  ModelRequest,
  OpenRequest,
  SearchRequest,
} from './managing-jobs.ts';
import type { PromptCaching, PromptsRequest } from '../prompt-caching.ts';
import type { McpRequest } from './mcp-job.ts';
import type { PromptImage, RequestedImage } from '../prompt-images.ts';
import type { DivideRequest, EmbedRequest, RerankRequest } from './retrieval-jobs.ts';
import type { FindRequest, MembersRequest, StoresRequest } from './store-jobs.ts';

export type { AudioFormat } from './audio-jobs.ts';
export type { Decision, DecisionOption, DecisionQuestion } from './decide-job.ts';
export type { TextRole } from './retrieval-jobs.ts';
export type { KeptAnswer } from './managing-jobs.ts';
export { IMAGE_MARK, type PromptImage, type RequestedImage } from '../prompt-images.ts';

/** A chat message as the chat template sees it: its content parts are already joined to one string. */
export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** Holds an `IMAGE_MARK` for each of its images, and the `BREAKPOINTS` of the request. */
  content: string;
  /** Set in the engine, when the prompt's images have been read. */
  images?: PromptImage[];
  name?: string;
  /** On an assistant's message: what it thought before it answered. */
  reasoning?: string;
  /** On an assistant's message: the calls it made in addition to its text. */
  toolCalls?: ToolCall[];
  /** On a tool's message: the id of the call that it answers. */
  toolCallId?: string;
}

/** A tool call, as a model made it and as a client sends it back. */
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
  /** JSON Schema of the arguments. The model reads it, and its calls are held to it. */
  parameters: Record<string, unknown>;
  /**
   * `false`: objects may have members that the schema does not name, as JSON Schema says. `true`: a schema that cannot be
   * enforced as a whole is refused; otherwise, what cannot be enforced is left out.
   */
  strict?: boolean;
}

/** The tools that a request offers, and how they may be used. */
export interface ToolOffer {
  tools: Tool[];
  /** `auto`: text or calls; `required`: calls; a name: one call of that tool; `none`: text. */
  choice: 'auto' | 'none' | 'required' | { name: string };
  /** Names of the tools that may be called; undefined: all. The model reads about all. */
  allowed?: string[];
  /** Whether one answer may hold several calls. */
  parallel: boolean;
}

/** What the model reads: messages for its chat template, or text that is passed on unchanged. */
export type Prompt =
  | {
      kind: 'chat';
      messages: TemplateMessage[];
      /** The images that the marks in the messages stand for, in the order of the marks. */
      images?: RequestedImage[];
      templateOptions: Record<string, unknown>;
      /** If the conversation does not fit, its oldest turns are left out. */
      dropsOldest?: boolean;
      /** The last message is the assistant's, and the answer continues its text. */
      continuesFinal?: boolean;
      /** The prompt ends with the last message, so that no answer follows: for counting only. */
      isClosed?: boolean;
    }
  | {
      kind: 'raw';
      text: string;
      /** Text after the answer, which stands between `text` and it; undefined: the answer follows `text`. */
      suffix?: string;
    };

/** A chat. */
export type ChatPrompt = Extract<Prompt, { kind: 'chat' }>;

/** What ends an answer besides `maxTokens` and stop strings. */
export interface Ending {
  /** The model cannot end its turn before this many tokens. */
  minTokens?: number;
  /** The model never ends its turn. */
  ignoresEnd?: boolean;
  /** Tokens that end the answer, and are not part of it. */
  stopTokenIds?: number[];
}

/**
 * What an answer must be: any JSON object, a JSON value that is valid under the schema, a text that the
 * regular expression matches as a whole, or one of the texts.
 */
export type AnswerFormat =
  | { type: 'json_object' }
  /** `strict: false` as in a tool. A schema that cannot be enforced as a whole is refused. */
  | { type: 'json_schema'; schema: unknown; strict?: false }
  | { type: 'pattern'; pattern: string }
  | { type: 'choice'; texts: string[] };

/** Sampling parameters; undefined means the model's own default. Ranges are those of the API. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  /** How many of the likeliest tokens are considered, from 1; undefined: all. */
  topK?: number;
  /** How likely a token must be, relative to the likeliest, 0 to 1, at the temperature. */
  minP?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  repetitionPenalty?: number;
  /** Token id → bias, -100 to 100. */
  logitBias?: Record<string, number>;
  /** Any integer. */
  seed?: number;
}

/** A piece of a model's output, before any parsing. */
export interface WrittenPiece {
  text: string;
  /** Tokens of the answer up to the end of this piece. */
  tokens: number;
}

interface GenerateRequest extends ClientRights, Repeatable {
  model: string;
  prompt: Prompt;
  sampling: Sampling;
  /** Most tokens of an answer; 0: the prompt is only read; undefined: as many as the context holds. */
  maxTokens?: number;
  /** Most tokens of an answer's thinking, which then ends; undefined: no separate limit. */
  maxThinkingTokens?: number;
  /** Applies to the answer without its thinking and its tool calls; undefined: free text. */
  format?: AnswerFormat;
  tools?: ToolOffer;
  /** The output ends before the first of these strings, which are never emitted. */
  stop: string[];
  ending?: Ending;
  /** What the client thinks that the answer will be. It changes only the speed. Undefined: the client did not say. */
  prediction?: string;
  caching?: PromptCaching;
  /** How many alternatives to report for each token of the text, 0 to 20; undefined: no logprobs. */
  topLogprobs?: number;
  /** Report the log-probabilities of the prompt's tokens. Needs `topLogprobs`. */
  scoresPrompt?: boolean;
  /** Report how many requests are before it, and how far the prompt has been read. */
  tellsReading?: boolean;
  /** Report with each piece how many tokens the answer has. */
  countsTokens?: boolean;
  /** Show control tokens as the text that spells them; undefined: they are left out. */
  showsControlTokens?: boolean;
  /** How many answers, one after the other, each ended by its own `finish`; undefined: one. */
  choices?: number;
  /** Report the raw output in `written` events, so that another engine can continue the answer; and `queued`. */
  checkpoints?: boolean;
  /** The part of the answer that another engine has written. Its events are sent again, from the first on. */
  written?: WrittenPiece[];
}

interface DecideRequest extends ClientRights, Repeatable {
  model: string;
  /** The input, and then the instructions of each question, as users' messages. */
  prompt: ChatPrompt;
  questions: DecisionQuestion[];
  /** In how many orders the model reads the options of each question: models prefer some places in a list. */
  orders: 1 | 2;
  caching?: PromptCaching;
}

interface TokensRequest extends ClientRights, Repeatable {
  model: string;
  /** A prompt to turn into tokens, or tokens to turn into text. */
  of: Prompt | { kind: 'tokens'; ids: number[] };
  /** Tools, as in a generation: the prompt describes them. */
  tools?: ToolOffer;
  /** Whether the text of each token is wanted. */
  pieces?: boolean;
}

/** The operations of the engine host, and the fields of their jobs. Any page may ask for any of them. */
interface Requests {
  generate: GenerateRequest;
  /** Computes how likely the possible answers to questions are. Writes nothing. */
  decide: DecideRequest;
  speak: SpeakRequest;
  embed: EmbedRequest;
  rerank: RerankRequest;
  transcribe: TranscribeRequest;
  /** Does not wait for a turn. */
  tokens: TokensRequest;
  /** Keeps answers in the memory of the tab that hosts the engine. Nothing is stored. */
  memory: MemoryRequest;
  /** Stores files that callers want to be stored, and finds them. */
  files: FilesRequest;
  /** Makes, finds and changes vector stores. */
  stores: StoresRequest;
  /** Puts files into a vector store, and finds them there. */
  members: MembersRequest;
  /** Searches vector stores. */
  'find-chunks': FindRequest;
  /** Asks a server of the Model Context Protocol. This leaves the device. */
  mcp: McpRequest;
  /** Tells and deletes what is kept of prompts on disk. */
  prompts: PromptsRequest;
  /** Divides a text into chunks that an embedder can read. Only the engine asks for it. */
  divide: DivideRequest;
  /** Reads the text of a PDF in a worker of its own. Only the engine asks for it. */
  'read-pdf': ReadPdfRequest;
  /** Ends when the model is in memory. */
  load: LoadRequest;
  unload: ModelRequest;
  /** Never ends by itself. The model stays in memory however long it is not used. */
  keep: ModelRequest;
  /** Loads the variant that the engine chose into the worker of its model. Only the engine asks for it. */
  open: OpenRequest;
  /** Reports the size of WebAssembly's memory in a model's worker. Only the engine asks for it. */
  heap: object;
  /** Lets a model's worker finish its work with the database before it is ended. Only the engine asks for it. */
  close: object;
  /** Downloads a model into the weight store. Everyone who wants the same model shares a download. */
  install: InstallRequest;
  /** Stops a running download for everyone who waits for it. The downloaded part is kept. */
  pause: ModelRequest;
  /** Deletes a model's weights from the weight store, partial downloads included. */
  remove: ModelRequest;
  /** Adds a model to the catalog. */
  add: AddRequest;
  /** Reports all models of the catalog. */
  list: object;
  /** Asks the hub for the facts that the catalog lacks about a model, and reports the model. */
  inspect: ModelRequest;
  /** Searches the hub. */
  search: SearchRequest;
  /** Measures how fast an installed model is. */
  measure: MeasureRequest;
  /** Reports what the engine found out about the device. */
  device: DeviceRequest;
  /** Reports what the browser says of its own model. */
  'built-in': object;
  /** Reports the latest progress of every model. */
  states: object;
  /** Reports what was done since the engine began, in Prometheus' text format. */
  metrics: MetricsRequest;
  /** Like `states`, then reports every change. Never ends by itself. */
  watch: object;
}

export type Operation = keyof Requests;
/** The operations of the HTTP API. */
export type ApiOperation =
  | (
      | 'generate'
      | 'decide'
      | 'speak'
      | 'embed'
      | 'rerank'
      | 'transcribe'
      | 'tokens'
      | 'memory'
      | 'files'
      | 'stores'
      | 'members'
      | 'find-chunks'
      | 'mcp'
      | 'metrics'
    )
  | ('load' | 'unload' | 'install' | 'remove' | 'states' | 'watch');

/** A job of one of these operations, with the operation's name as `op`. */
export type JobOf<Op extends Operation> = { [O in Op]: { op: O } & Requests[O] }[Op];
export type Job = JobOf<Operation>;
export type GenerateJob = JobOf<'generate'>;
export type DecideJob = JobOf<'decide'>;
export type SpeakJob = JobOf<'speak'>;
export type EmbedJob = JobOf<'embed'>;
export type RerankJob = JobOf<'rerank'>;
export type TokensJob = JobOf<'tokens'>;
export type MemoryJob = JobOf<'memory'>;
