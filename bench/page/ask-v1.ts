import * as v from 'valibot';
import type { Slashv1 } from '../../src/index.ts';
import type { TimedAnswer } from '../answer.ts';
import { AnswerTimer } from './answer-timer.ts';

export const questionSchema = v.object({
  model: v.string(),
  messages: v.array(v.object({ role: v.string(), content: v.string() })),
  maxTokens: v.number(),
  /** Fields that are added to the request. */
  more: v.optional(v.record(v.string(), v.unknown()), {}),
});

type Access = Pick<Slashv1, 'baseURL' | 'apiKey'>;

export type ChatQuestion = v.InferInput<typeof questionSchema>;

/** The fields that are read from a `chat.completion.chunk`, or from an error in its place. */
const chunkSchema = v.object({
  choices: v.optional(
    v.array(v.object({ delta: v.object({ content: v.optional(v.string()) }) })),
    [],
  ),
  usage: v.nullish(
    v.object({
      prompt_tokens: v.number(),
      completion_tokens: v.number(),
      prompt_tokens_details: v.object({ cached_tokens: v.number() }),
    }),
  ),
  error: v.optional(v.object({ message: v.string() })),
});

type Chunk = v.InferOutput<typeof chunkSchema>;

/**
 * Puts other text into both KV caches, so that the next prompt is prefilled even if it was asked before.
 */
export async function fillKvCaches(api: Access, model: string): Promise<void> {
  for (const prompt of ['A', 'B']) {
    const body = JSON.stringify({ model, prompt, max_tokens: 1 });
    const { baseURL, apiKey } = api;
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseURL}/completions`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
    await response.json();
  }
}

/**
 * Asks over HTTP, without a client library.
 *
 * @param onText - called with each piece of text
 */
export function askV1(
  access: Access,
  question: ChatQuestion,
  onText?: (text: string) => void,
): Promise<TimedAnswer> {
  const { baseURL, apiKey } = access;
  return ask({ baseURL, apiKey }, bodyOf(question), onText);
}

/** The body of a request for a streamed answer. */
export function bodyOf({ model, messages, maxTokens, more }: ChatQuestion): string {
  return JSON.stringify({
    model,
    messages,
    max_tokens: maxTokens,
    temperature: 0,
    stream: true,
    stream_options: { include_usage: true },
    ...more,
  });
}

/**
 * @param body - as `bodyOf` makes it
 * @param access - if it has a `fetch`, the request is sent with it instead of the page's
 */
export async function ask(
  { baseURL, apiKey, fetch: ownFetch = fetch }: Access & Partial<Pick<Slashv1, 'fetch'>>,
  body: string,
  onText: (text: string) => void = () => undefined,
): Promise<TimedAnswer> {
  const timer = new AnswerTimer();
  const response = await ownFetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  for await (const { choices, usage, error } of chunks(response.body)) {
    if (error) throw new Error(error.message);
    const text = choices[0]?.delta.content ?? '';
    timer.add(text);
    if (text !== '') onText(text);
    if (!usage) continue;
    const { prompt_tokens: prompt, completion_tokens: completion } = usage;
    return timer.finish(prompt, completion, usage.prompt_tokens_details.cached_tokens);
  }
  throw new Error('The answer has no usage.');
}

async function* chunks(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.replace(/^data: /, '');
      if (data !== '[DONE]') yield v.parse(chunkSchema, JSON.parse(data));
    }
  }
}
