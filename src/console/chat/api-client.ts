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
  /** Whether it was answered before, and another answer is wanted. */
  again: boolean;
}

/**
 * The API's default temperature is 1, at which small models lose the thread. The likeliest answer is
 * the best that they have: even at 0.3, SmolLM2-135M answers every third question after France's
 * capital in something like French. Who asks for another answer gets another one.
 */
const FIRST = { temperature: 0 };
const ANOTHER = { temperature: 0.7 };

/** Too little to be noticed in a text, enough to end a line that is said for the tenth time. */
const AGAINST_LOOPS = { frequency_penalty: 0.1 };

export interface AnswerPiece {
  type: 'text' | 'reasoning';
  text: string;
}

/** An answer as it arrives. */
export type AnswerEvent =
  AnswerPiece | { type: 'finish'; reason: string } | { type: 'usage'; usage: TokenUsage };

/**
 * The openai package, unmodified, talking to this page's own API: what the console can do, any page can.
 * Loaded apart, because the page should be there before a client library is.
 */
export async function loadClientLibrary(): Promise<(v1: Slashv1) => OpenAI> {
  const { OpenAI } = await import('openai');
  return ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
}

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
  // The client ends an aborted stream without an error; here, an abort is no answer.
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

/** Thinking models send it beside the content; the openai package has no type for it. */
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
