import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type LanguageModel } from 'ai';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { anthropic } from '../messages/messages-clients.ts';
import { langchainFields } from '../support/other-clients.ts';
import type { TestApi } from '../support/api.ts';

forbidNetwork();
vi.setConfig({ testTimeout: 120_000 });
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const SYSTEM =
  'You are a helpful assistant. Answer in one short sentence, and be kind to everyone.';
const KEEP = { mode: 'explicit' as const };
const EPHEMERAL = { type: 'ephemeral' as const };

/** Tokens of a prompt: all, those that a cache held, and those that were put into one. */
interface Counts {
  all: number | undefined;
  read: number | undefined;
  written: number | undefined;
}

/** Asks with a breakpoint at the end of the system prompt. */
type Ask = (api: TestApi, question: string) => Promise<Counts>;

const withOpenAi: Ask = async (api, question) => {
  const { usage } = await api.client().chat.completions.create({
    model: MODEL,
    max_tokens: 3,
    prompt_cache_key: 'test',
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: SYSTEM, prompt_cache_breakpoint: KEEP }],
      },
      { role: 'user', content: question },
    ],
  });
  const details = usage?.prompt_tokens_details;
  return {
    all: usage?.prompt_tokens,
    read: details?.cached_tokens,
    written: details?.cache_write_tokens,
  };
};

const withResponses: Ask = async (api, question) => {
  const { usage } = await api.client().responses.create({
    model: MODEL,
    max_output_tokens: 3,
    prompt_cache_options: { mode: 'implicit', ttl: '12h' },
    input: [
      {
        role: 'developer',
        content: [{ type: 'input_text', text: SYSTEM, prompt_cache_breakpoint: KEEP }],
      },
      { role: 'user', content: question },
    ],
  });
  const details = usage?.input_tokens_details;
  if (details?.cache_write_tokens) {
    expect(details.cache_write_tokens_details).toEqual({
      ttl_30m_tokens: 0,
      ttl_12h_tokens: details.cache_write_tokens,
    });
  }
  return {
    all: usage?.input_tokens,
    read: details?.cached_tokens,
    written: details?.cache_write_tokens,
  };
};

const withAnthropic: Ask = async (api, question) => {
  const { usage } = await anthropic(api).messages.create({
    model: MODEL,
    max_tokens: 3,
    system: [{ type: 'text', text: SYSTEM, cache_control: EPHEMERAL }],
    messages: [{ role: 'user', content: question }],
  });
  const [read, written] = [usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  expect(usage.cache_creation?.ephemeral_5m_input_tokens).toBe(written);
  return {
    all: usage.input_tokens + (read ?? NaN) + (written ?? NaN),
    read: read ?? undefined,
    written: written ?? undefined,
  };
};

const withAiSdk =
  (modelOf: (api: TestApi) => LanguageModel, providerOptions: object): Ask =>
  async (api, question) => {
    const { usage } = await generateText({
      model: modelOf(api),
      maxRetries: 0,
      maxOutputTokens: 3,
      allowSystemInMessages: true,
      messages: [
        { role: 'system', content: SYSTEM, providerOptions: { ...providerOptions } },
        { role: 'user', content: question },
      ],
    });
    const { cacheReadTokens: read, cacheWriteTokens: written } = usage.inputTokenDetails;
    return { all: usage.inputTokens, read, written };
  };

const openAiProvider = (api: TestApi) =>
  createOpenAI({ baseURL: `${ORIGIN}/v1`, apiKey: api.key, fetch: browserFetch(api.app) });
const anthropicProvider = (api: TestApi) =>
  createAnthropic({ baseURL: `${ORIGIN}/v1`, apiKey: api.key, fetch: browserFetch(api.app) });

const LangChainUsage = z.object({
  input_tokens: z.number(),
  input_token_details: z.object({ cache_read: z.number(), cache_creation: z.number() }),
});

const withLangChain =
  (modelOf: (api: TestApi) => BaseChatModel, breakpoint: object): Ask =>
  async (api, question) => {
    const content = [{ type: 'text', text: SYSTEM, ...breakpoint }];
    const asked = [new SystemMessage({ content }), new HumanMessage(question)];
    const message = await modelOf(api).invoke(asked);
    const { input_tokens: all, input_token_details: details } = LangChainUsage.parse(
      message.usage_metadata,
    );
    return { all, read: details.cache_read, written: details.cache_creation };
  };

const langChainOpenAi = (api: TestApi) => new ChatOpenAI(langchainFields(api, { maxTokens: 3 }));
const langChainAnthropic = (api: TestApi) =>
  new ChatAnthropic({
    model: MODEL,
    apiKey: api.key,
    maxRetries: 0,
    maxTokens: 3,
    clientOptions: { fetch: browserFetch(api.app), baseURL: ORIGIN, maxRetries: 0 },
  });

const CLIENTS: [string, Ask][] = [
  ['openai, chats', withOpenAi],
  ['openai, responses', withResponses],
  ['@anthropic-ai/sdk', withAnthropic],
  [
    'the AI SDK, chats',
    withAiSdk((api) => openAiProvider(api).chat(MODEL), {
      openai: { promptCacheBreakpoint: KEEP },
    }),
  ],
  [
    'the AI SDK, responses',
    withAiSdk((api) => openAiProvider(api)(MODEL), { openai: { promptCacheBreakpoint: KEEP } }),
  ],
  [
    'the AI SDK, messages',
    withAiSdk((api) => anthropicProvider(api)(MODEL), { anthropic: { cacheControl: EPHEMERAL } }),
  ],
  ['LangChain, chats', withLangChain(langChainOpenAi, { prompt_cache_breakpoint: KEEP })],
  ['LangChain, messages', withLangChain(langChainAnthropic, { cache_control: EPHEMERAL })],
];

test.each(CLIENTS)('%s: a real model keeps a system prompt, and usage tells it', async (_, ask) => {
  const engine = new LlamaCppEngine();
  const api = await openApi({ via: () => engine });
  const first = await ask(api, 'Hi');
  expect(first.read).toBe(0);
  expect(first.written).toBeGreaterThan(10);
  expect(first.written).toBeLessThan(first.all ?? NaN);
  const next = await ask(api, 'What is your name?');
  expect(next.read).toBeGreaterThanOrEqual(first.written ?? NaN);
  expect(next.read).toBeLessThan(next.all ?? NaN);
  expect(next.written).toBe(0);
});
