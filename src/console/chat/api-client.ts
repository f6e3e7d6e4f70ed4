import type OpenAI from 'openai';
import type { Slashv1 } from '../../index.ts';
import type { TokenUsage } from './answer-stats.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

export interface Question {
  model: string;
  messages: Message[];
  /** Whether the user has seen an answer and wants a different one. */
  again: boolean;
}

/**
 * The API's default temperature is 1, which makes small models lose the thread. Their likeliest answer
 * is their best: even at 0.3, SmolLM2-135M answers one in three questions about the capital of France
 * in a kind of French. Only a repeated question is sampled, so that its answer differs.
 */
const FIRST = { temperature: 0 };
const ANOTHER = { temperature: 0.7 };

/** Too small to be noticed in normal text, but enough to break a line that repeats for the tenth time. */
const AGAINST_LOOPS = { frequency_penalty: 0.1 };

export interface AnswerPiece {
  type: 'text' | 'reasoning';
  text: string;
}

/** One event of an answer's stream. */
export type AnswerEvent =
  AnswerPiece | { type: 'finish'; reason: string } | { type: 'usage'; usage: TokenUsage };

/**
 * The unmodified openai package, pointed at this page's own API: any page can do what the console does.
 * It is imported dynamically, so that the page appears before the client library is loaded.
 */
export async function loadClientLibrary(): Promise<(v1: Slashv1) => OpenAI> {
  const { OpenAI } = await import('openai');
  return ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
}

/** Asks and yields the answer's events. Throws the openai package's errors, and the signal's reason. */
export async function* streamAnswer(
  client: OpenAI,
  { again, ...question }: Question,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const stream = await client.chat.completions.create(
    {
      ...question,
      ...(again ? ANOTHER : FIRST),
      ...AGAINST_LOOPS,
      stream: true,
      stream_options: { include_usage: true },
    },
    { signal },
  );
  for await (const chunk of stream) yield* chunkEvents(chunk);
  // The client ends an aborted stream without an error, but an aborted answer must not look complete.
  signal.throwIfAborted();
}

function* chunkEvents(chunk: OpenAI.ChatCompletionChunk): Generator<AnswerEvent> {
  const choice = chunk.choices[0];
  const reasoning = choice && reasoningOf(choice.delta);
  if (reasoning) yield { type: 'reasoning', text: reasoning };
  if (choice?.delta.content) yield { type: 'text', text: choice.delta.content };
  if (choice?.finish_reason) yield { type: 'finish', reason: choice.finish_reason };
  if (chunk.usage) yield { type: 'usage', usage: toTokenUsage(chunk.usage) };
}

/** Thinking models send `reasoning_content` beside `content`; the openai package has no type for it. */
function reasoningOf(delta: object): string {
  const reasoning = 'reasoning_content' in delta ? delta.reasoning_content : undefined;
  return typeof reasoning === 'string' ? reasoning : '';
}

function toTokenUsage(usage: OpenAI.CompletionUsage): TokenUsage {
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
  };
}
