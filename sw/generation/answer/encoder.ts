import type {
  FinishReason,
  GenerateEvent,
  TokenLogprob,
  Usage,
} from '../../../src/core/operations/events/events.ts';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import { chooseVariant } from '../../../src/core/fit/choose-variant.ts';
import type { Device } from '../../../src/core/fit/device-fit.ts';
import { VERSION } from '../../../src/core/version.ts';
import type { ToolCall } from '../../../src/core/operations/jobs/jobs.ts';
import type { StreamEncoder } from '../../http/event-stream.ts';
import { newId, unixSeconds } from './ids.ts';

/** The fields that all chunks of an answer share. */
export interface AnswerMeta {
  id: string;
  object: string;
  /** Unix seconds. */
  created: number;
  model: string;
  /** What generates: engine and version. */
  system_fingerprint: string;
}

/** What a request wants to see beside its answers. */
export interface AnswerView {
  /** How many answers each prompt has. */
  perPrompt: number;
  /** How many answers all prompts have together. */
  answers: number;
  /** When streaming: whether usage is in a chunk of its own at the end, and in every chunk. */
  usage: { atEnd: boolean; always: boolean };
  timings: boolean;
  /** Whether the request says what it thinks that the answer will be; undefined: no. */
  isPredicted?: boolean;
  /** When streaming: how the prompt was read. */
  promptProgress: boolean;
}

/** Turns engine events into what one endpoint sends. Every answer gets a new one. */
export interface Encoder<E = GenerateEvent> extends StreamEncoder<E> {
  /** What is streamed before any event. */
  opening(): string;
  /** The whole answer, when not streaming. */
  body(events: readonly E[]): unknown;
}

export function answerMeta(
  { prefix, object }: { prefix: string; object: string },
  entry: CatalogEntry,
  device: Device,
): AnswerMeta {
  const { engine } = chooseVariant(entry, device);
  const model = entry.id;
  return {
    id: newId(`${prefix}-`),
    object,
    created: unixSeconds(),
    model,
    system_fingerprint: `slashv1-${VERSION}-${engine}`,
  };
}

/** A whole answer. */
export interface Answer {
  text: string;
  /** Undefined if the model did not think. */
  reasoning: string | undefined;
  toolCalls: ToolCall[];
  /** Log-probabilities of the text; undefined if they were not asked for. */
  logprobs: TokenLogprob[] | undefined;
  reason: FinishReason;
  usage: Usage;
}

/** The answers in the events, in order. */
export function collect(events: readonly GenerateEvent[]): Answer[] {
  const ends = events.flatMap(({ type }, index) => (type === 'finish' ? [index + 1] : []));
  return ends.map((end, index) => collectOne(events.slice(ends[index - 1] ?? 0, end)));
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
