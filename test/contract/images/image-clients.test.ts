import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, tool, type LanguageModel } from 'ai';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { MODEL, openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { anthropic } from '../messages/messages-clients.ts';
import { langchainFields } from '../support/other-clients.ts';
import { BYTES, DATA, MARK, PNG } from './site-images.ts';
import { finish, text, toolArguments, toolCall } from '../support/test-engine.ts';

forbidNetwork();
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const open = () => openApi({ sees: true });

/** The messages with images that the engine was shown last. */
function seen({ engine }: TestApi) {
  const { prompt } = engine.last.job;
  const messages = prompt.kind === 'chat' ? prompt.messages : [];
  return messages
    .filter(({ images }) => images)
    .map(({ role, content, images }) => ({
      role,
      content,
      files: images?.map(({ file }) => file),
    }));
}

const ONE_QUESTION = [{ role: 'user', content: `What? ${MARK}`, files: [BYTES] }];

test('the openai package shows an image in chats and responses', async () => {
  const api = await open();
  const usage = { promptTokens: 9, completionTokens: 1, cachedTokens: 0, imageTokens: 6 };
  api.engine.next(text('A cat'), finish('stop', usage));
  const chat = await api.client().chat.completions.create({
    model: MODEL,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What? ' },
          { type: 'image_url', image_url: { url: DATA } },
        ],
      },
    ],
  });
  expect(chat.choices[0]?.message.content).toBe('A cat');
  expect(chat.usage?.prompt_tokens_details).toEqual({
    cached_tokens: 0,
    cache_write_tokens: 0,
    image_tokens: 6,
  });
  expect(seen(api)).toEqual(ONE_QUESTION);
  const response = await api.client().responses.create({
    model: MODEL,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What? ' },
          { type: 'input_image', image_url: DATA, detail: 'auto' },
        ],
      },
    ],
  });
  expect(response.output_text).toBe('Hello there');
  expect(seen(api)).toEqual(ONE_QUESTION);
});

test('Anthropic’s package shows an image, and counts it', async () => {
  const api = await open();
  const content = [
    { type: 'text' as const, text: 'What? ' },
    {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
    },
  ];
  const request = { model: MODEL, messages: [{ role: 'user' as const, content }] };
  const message = await anthropic(api).messages.create({ ...request, max_tokens: 9 });
  expect(message.content).toMatchObject([{ type: 'text', text: 'Hello there' }]);
  expect(seen(api)).toEqual(ONE_QUESTION);
  const { input_tokens } = await anthropic(api).messages.countTokens(request);
  expect(input_tokens).toBe('\nWhat? .'.length);
});

test('LangChain shows an image', async () => {
  const api = await open();
  const model = new ChatOpenAI(langchainFields(api));
  const content = [
    { type: 'text', text: 'What? ' },
    { type: 'image_url', image_url: { url: DATA } },
  ];
  expect((await model.invoke([new HumanMessage({ content })])).text).toBe('Hello there');
  expect(seen(api)).toEqual(ONE_QUESTION);
});

const PROVIDERS: [string, (settings: Settings) => LanguageModel][] = [
  ['openai-compatible', (settings) => createOpenAICompatible({ name: 's', ...settings })(MODEL)],
  ['openai', (settings) => createOpenAI(settings)(MODEL)],
  ['anthropic', (settings) => createAnthropic(settings)(MODEL)],
];

interface Settings {
  baseURL: string;
  apiKey: string;
  fetch: typeof fetch;
}

const settingsOf = (api: TestApi): Settings => ({
  baseURL: `${ORIGIN}/v1`,
  apiKey: api.key,
  fetch: browserFetch(api.app),
});

test.each(PROVIDERS)('the AI SDK’s provider %s shows an image', async (_, provider) => {
  const api = await open();
  const { text: answer } = await generateText({
    model: provider(settingsOf(api)),
    maxRetries: 0,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What? ' },
          { type: 'file', mediaType: 'image/png', data: BYTES },
        ],
      },
    ],
  });
  expect(answer).toBe('Hello there');
  expect(seen(api)).toEqual(ONE_QUESTION);
});

test.each(PROVIDERS.filter(([name]) => name !== 'openai-compatible'))(
  'a tool of the AI SDK’s provider %s shows one',
  async (_, provider) => {
    const api = await open();
    api.engine.next(toolCall(0, 'look'), toolArguments(0, '{}'), finish('tool_calls'));
    const look = tool({
      inputSchema: z.object({}),
      execute: () => PNG,
      toModelOutput: ({ output }) => ({
        type: 'content',
        value: [
          { type: 'text', text: 'Seen: ' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } },
        ],
      }),
    });
    await generateText({
      model: provider(settingsOf(api)),
      maxRetries: 0,
      tools: { look },
      prompt: 'Look',
      stopWhen: isStepCount(2),
    });
    expect(seen(api)).toEqual([{ role: 'tool', content: `Seen: ${MARK}`, files: [BYTES] }]);
  },
);
