import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Slashv1 } from '../index.ts';
import { exceptionOf, numberOf } from './exceptions.ts';
import type { CheckedPrompt } from './prompt-input.ts';

/** A model, and the API that serves it. */
export interface ServedModel {
  v1: Slashv1;
  /** The model's id in the catalog. */
  id: string;
  /** Tokens. */
  contextWindow: number;
}

/** How an answer ended. */
export interface AnswerEnd {
  /** Tokens of the prompt and the answer together. */
  tokens: number;
  /** Whether the context or the memory was full before the model was done. */
  isCut: boolean;
}

interface Chunk {
  choices: { delta?: { content?: string | null }; finish_reason?: string | null }[];
  usage?: { total_tokens: number } | null;
}

/** Fields of a chat request that turn thinking off: sessions give answers only. */
const WITHOUT_THINKING = { reasoning_effort: 'none' };

/** The HTTP API, as sessions use it. All methods throw DOMExceptions. */
export class ChatClient {
  readonly #model: ServedModel;
  /** Fields of a chat request: how the session samples. */
  readonly #fields: object;

  constructor(model: ServedModel, fields: object) {
    this.#model = model;
    this.#fields = fields;
  }

  /**
   * How many tokens a prompt has for the model, with the marks of its turns.
   *
   * @param isAnswered - whether to count the marks that tell the model to answer without thinking
   */
  async count(prompt: CheckedPrompt, isAnswered: boolean, signal: AbortSignal): Promise<number> {
    const path = 'chat/completions/input_tokens';
    const body = { ...this.#body(prompt), ...(isAnswered && WITHOUT_THINKING) };
    const response = await this.#post(path, body, signal);
    return numberOf(await response.json(), 'input_tokens');
  }

  /** @param format - fields of a chat request */
  async *answer(
    prompt: CheckedPrompt,
    format: object,
    signal: AbortSignal,
  ): AsyncGenerator<string, AnswerEnd> {
    const streamed = { stream: true, stream_options: { include_usage: true } };
    const fields = { ...WITHOUT_THINKING, ...this.#fields, ...format, ...streamed };
    const body = { ...this.#body(prompt), ...fields };
    const response = await this.#post('chat/completions', body, signal);
    const end: AnswerEnd = { tokens: 0, isCut: false };
    for await (const { choices, usage } of chunksOf(response)) {
      end.tokens = usage?.total_tokens ?? end.tokens;
      for (const { delta, finish_reason: reason } of choices) {
        end.isCut ||= reason === 'length';
        if (delta?.content) yield delta.content;
      }
    }
    return end;
  }

  #body({ messages, continues }: CheckedPrompt): object {
    const place = continues ? { continue_final_message: true } : { add_generation_prompt: true };
    return { model: this.#model.id, messages, ...place };
  }

  async #post(path: string, body: object, signal: AbortSignal): Promise<Response> {
    const { baseURL, apiKey, fetch: ask } = this.#model.v1;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const response = await ask(`${baseURL}/${path}`, init);
    if (response.ok) return response;
    throw exceptionOf(response.status, await response.json().catch(() => undefined));
  }
}

/** The chunks of a stream. If a stream ends without `[DONE]`, it broke off: that is an error. */
async function* chunksOf({ body, status }: Response): AsyncGenerator<Chunk> {
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { value } = (await events?.read()) ?? {};
    if (!value) throw new DOMException('The answer broke off.', 'UnknownError');
    if (value.data === '[DONE]') return;
    const chunk: unknown = JSON.parse(value.data);
    if (!isChunk(chunk)) throw exceptionOf(status, chunk);
    yield chunk;
  }
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && 'choices' in value;
}
