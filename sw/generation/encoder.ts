import type {
  FinishReason,
  GenerateEvent,
  TokenLogprob,
  Usage,
} from '../../src/core/protocol/events.ts';
import type { ToolCall } from '../../src/core/protocol/jobs.ts';

/** The fields that all chunks of an answer share. */
export interface AnswerMeta {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
}

/** Turns engine events into the JSON values of one endpoint. Every answer gets a new one. */
export interface Encoder {
  /** Values to send before any event, when streaming. */
  opening(): unknown[];
  /** The streamed values of an event; most events have none. */
  chunks(event: GenerateEvent): unknown[];
  /** The whole answer, when not streaming. */
  body(events: readonly GenerateEvent[]): unknown;
}

export function answerMeta(prefix: string, model: string): AnswerMeta {
  const id = crypto.randomUUID().replaceAll('-', '');
  return { id: `${prefix}-${id}`, created: Math.floor(Date.now() / 1000), model };
}

/** Usage as the OpenAI API writes it. */
export function usageBody(usage: Usage) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    ...(usage.reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    }),
  };
}

/** A whole answer. */
export interface Answer {
  text: string;
  /** Undefined if the model did not think. */
  reasoning: string | undefined;
  toolCalls: ToolCall[];
  /** Of the text; undefined if none were asked for. */
  logprobs: TokenLogprob[] | undefined;
  reason: FinishReason;
  usage: Usage;
}

/** The answers in the events, in order. */
export function collect(events: readonly GenerateEvent[]): Answer[] {
  const ends = events.flatMap(({ type }, index) => (type === 'finish' ? [index + 1] : []));
  return ends.map((end, index) => collectOne(events.slice(ends[index - 1] ?? 0, end)));
}

/** The usage of several answers to one prompt. The prompt counts once, however often it was read. */
export function totalUsage(answers: readonly Answer[]): Usage {
  const [first] = answers;
  if (!first) throw new Error('The engine ended without a finish event.');
  const sum = (value: (usage: Usage) => number) =>
    answers.reduce((total, { usage }) => total + value(usage), 0);
  return {
    ...first.usage,
    completionTokens: sum(({ completionTokens }) => completionTokens),
    ...(first.usage.reasoningTokens !== undefined && {
      reasoningTokens: sum(({ reasoningTokens = 0 }) => reasoningTokens),
    }),
  };
}

/** Joins the pieces of one answer. */
function collectOne(events: readonly GenerateEvent[]): Answer {
  let text = '';
  let reasoning: string | undefined;
  let logprobs: TokenLogprob[] | undefined;
  const toolCalls: ToolCall[] = [];
  for (const event of events) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'text' && event.logprobs)
      logprobs = [...(logprobs ?? []), ...event.logprobs];
    if (event.type === 'reasoning') reasoning = (reasoning ?? '') + event.text;
    if (event.type === 'tool-call') {
      toolCalls.push({ id: event.id, name: event.name, arguments: '' });
    }
    const call = event.type === 'tool-arguments' ? toolCalls[event.index] : undefined;
    if (call && event.type === 'tool-arguments') call.arguments += event.text;
    if (event.type === 'finish') {
      return { text, reasoning, toolCalls, logprobs, reason: event.reason, usage: event.usage };
    }
  }
  throw new Error('The engine ended without a finish event.');
}
