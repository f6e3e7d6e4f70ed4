import type OpenAI from 'openai';
import type { DrivenPage } from './browser/driven-page.ts';
import type { Refusal } from '../site/page.ts';
import { user } from './prompts.ts';
import { TINY } from './site.ts';

/** Body of a chat request; without a model or messages, tiny-chat is greeted. */
export type ChatRequest = Partial<Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>> &
  Record<string, unknown>;

const HELLO = { model: TINY, messages: [user('Hello!')] };

/** The completion that the openai package returns. */
export function complete(page: DrivenPage, request: ChatRequest): Promise<OpenAI.ChatCompletion> {
  return page.evaluate(
    (body) => window.client.chat.completions.create({ ...body, stream: false }),
    { ...HELLO, ...request },
  );
}

/** The greedy answer to a chat request, with its calls. */
export async function askWithTools(page: DrivenPage, request: ChatRequest) {
  const { choices, usage } = await complete(page, { max_tokens: 200, temperature: 0, ...request });
  const [choice] = choices;
  return {
    content: choice?.message.content ?? null,
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [call] : [],
    ),
    reason: choice?.finish_reason,
    usage,
  };
}

export type ToolAnswer = Awaited<ReturnType<typeof askWithTools>>;

/** The text of a greedy answer to one message. */
export async function say(
  page: DrivenPage,
  content: string,
  request: ChatRequest = {},
): Promise<string | null> {
  const messages = [user(content)];
  const { choices } = await complete(page, { messages, temperature: 0, ...request });
  return choices[0]?.message.content ?? null;
}

/** All chunks of a streamed answer. */
export function chunksOf(
  page: DrivenPage,
  request: ChatRequest,
): Promise<OpenAI.ChatCompletionChunk[]> {
  return page.evaluate(
    async (body) =>
      Array.fromAsync(await window.client.chat.completions.create({ ...body, stream: true })),
    { ...HELLO, ...request },
  );
}

/** The error that the openai package throws for a chat request, or undefined if it is answered. */
export function refusal(
  page: DrivenPage,
  request: ChatRequest,
  stream = false,
): Promise<Refusal | undefined> {
  return page.evaluate(
    ([body, asStream]) =>
      window.refusalOf(window.client.chat.completions.create({ ...body, stream: asStream })),
    [{ ...HELLO, ...request }, stream] as const,
  );
}

/** What the API answers to a JSON body, for routes that the openai package lacks. @param path - below the base URL */
export function postJson(page: DrivenPage, path: string, body: object): Promise<unknown> {
  return page.evaluate(
    async ([below, json]) => {
      const { baseURL, apiKey } = window.v1;
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const response = await fetch(baseURL + below, { method: 'POST', headers, body: json });
      return (await response.json()) as unknown;
    },
    [path, JSON.stringify(body)] as const,
  );
}
