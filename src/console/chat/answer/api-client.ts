import { member } from '../../json.ts';
import type { Sampling } from '../../models/best/curated.ts';
import type { TokenUsage } from './answer-stats.ts';
import { chunksOf, post, upstreamOf, type ApiAccess } from './api-request.ts';
import type { ChatSettings, Message } from '../conversation/conversation.ts';
import type { Citation, Source } from '../library/sources.ts';
import type { ServerStep } from '../servers/server-step.ts';
import type { ToolCallPiece } from '../tools/tool-call.ts';

export interface Question {
  model: string;
  messages: Message[];
  settings: ChatSettings;
  /** How the model samples unless the user has set it; empty: as its files say. */
  sampling: Sampling;
  /** Whether the user has seen an answer and wants a different one. */
  again: boolean;
  /** Whether to send only options that the user has set. The browser's own model refuses options that it lacks. */
  isPlain: boolean;
}

/** A question that is asked again is sampled, so that its answer differs. */
const ANOTHER = { temperature: 0.7 };

export interface AnswerPiece {
  type: 'text' | 'reasoning';
  text: string;
}

/** One event of an answer's stream. */
export type AnswerEvent =
  | AnswerPiece
  | ToolCallPiece
  /** Passages of stored files have been found. */
  | { type: 'found'; sources: Source[] }
  | { type: 'cited'; citation: Citation }
  | { type: 'step'; step: ServerStep }
  /** The answer comes from the upstream of this name. */
  | { type: 'served'; by: string }
  /** The request waits behind `before` others. */
  | { type: 'queued'; before: number }
  /** How much of the prompt has been read, 0 to 1. */
  | { type: 'reading'; fraction: number }
  | { type: 'finish'; reason: string }
  | { type: 'usage'; usage: TokenUsage };

/** Asks and yields the answer's events. Throws a RequestError, what `fetch` throws, and the signal's reason. */
export async function* streamAnswer(
  api: ApiAccess,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const body = { ...requestBody(question), stream: true };
  const response = await post(api, '/chat/completions', body, signal);
  const by = upstreamOf(response);
  if (by !== undefined) yield { type: 'served', by };
  for await (const chunk of chunksOf(response)) {
    yield* chunkEvents(chunk);
    // An aborted answer must not look complete.
    signal.throwIfAborted();
  }
}

/**
 * The request's body, without `stream`.
 *
 * @throws SyntaxError if the tools or the schema are not JSON
 */
export function requestBody(question: Question) {
  const { model, messages, settings, isPlain } = question;
  return {
    model,
    messages,
    // Asks for the prompt's progress, as llama.cpp's server reports it.
    ...(!isPlain && { ...samplingFields(question), return_progress: true }),
    ...settingFields(settings),
    stream_options: { include_usage: true },
  };
}

/** How the model samples unless the user has set it. */
export function samplingFields({ sampling, again }: Pick<Question, 'sampling' | 'again'>) {
  return { ...sampling, ...(again && sampling.temperature === 0 && ANOTHER) };
}

/**
 * The fields of a request that a chat's settings determine.
 *
 * @throws SyntaxError if the tools or the schema are not JSON
 */
export function settingFields(settings: ChatSettings) {
  const { temperature, topP, maxTokens, seed, thinking, schema, tools } = settings;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(seed !== undefined && { seed }),
    ...(thinking === false && { reasoning_effort: 'none' }),
    ...(schema.trim() !== '' && { response_format: responseFormat(schema) }),
    ...(tools !== undefined && { tools: JSON.parse(tools) as unknown }),
  };
}

/** @throws SyntaxError if the schema is not JSON */
function responseFormat(schema: string) {
  const parsed: unknown = JSON.parse(schema);
  const members = typeof parsed === 'object' ? { ...parsed } : {};
  return { type: 'json_schema', json_schema: { name: 'answer', schema: members } };
}

/** How many tokens the model reads for these messages. */
export async function countTokens(
  api: ApiAccess,
  question: Pick<Question, 'model' | 'messages'>,
  signal: AbortSignal,
): Promise<number> {
  const response = await post(api, '/chat/completions/input_tokens', question, signal);
  return count(member(await response.json(), 'input_tokens'));
}

/** How many tokens a text has. */
export async function countText(
  api: ApiAccess,
  body: { model: string; prompt: string },
  signal: AbortSignal,
): Promise<number> {
  const response = await post(api, '/tokenize', body, signal);
  return count(member(await response.json(), 'count'));
}

function* chunkEvents(chunk: object): Generator<AnswerEvent> {
  const before = member(member(chunk, 'queue'), 'before');
  if (typeof before === 'number') yield { type: 'queued', before };
  const fraction = readFraction(chunk);
  if (fraction !== undefined) yield { type: 'reading', fraction };
  const choice = member(member(chunk, 'choices'), '0');
  const delta = member(choice, 'delta');
  const reasoning = text(member(delta, 'reasoning_content'));
  if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
  const content = text(member(delta, 'content'));
  if (content !== '') yield { type: 'text', text: content };
  const calls = member(delta, 'tool_calls');
  if (Array.isArray(calls)) yield* calls.map(toolCallPiece);
  const reason = text(member(choice, 'finish_reason'));
  if (reason !== '') yield { type: 'finish', reason };
  const usage = member(chunk, 'usage');
  if (usage) yield { type: 'usage', usage: tokenUsage(usage) };
}

function toolCallPiece(call: unknown): ToolCallPiece {
  const called = member(call, 'function');
  return {
    type: 'tool',
    index: count(member(call, 'index')),
    id: text(member(call, 'id')),
    name: text(member(called, 'name')),
    arguments: text(member(called, 'arguments')),
  };
}

/** `prompt_progress`, as in llama.cpp's server. */
function readFraction(chunk: object): number | undefined {
  const progress = member(chunk, 'prompt_progress');
  const [total, processed] = [member(progress, 'total'), member(progress, 'processed')];
  if (typeof total !== 'number' || typeof processed !== 'number') return undefined;
  return total > 0 ? processed / total : undefined;
}

function tokenUsage(usage: unknown): TokenUsage {
  return {
    promptTokens: count(member(usage, 'prompt_tokens')),
    completionTokens: count(member(usage, 'completion_tokens')),
    cachedTokens: count(member(member(usage, 'prompt_tokens_details'), 'cached_tokens')),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
