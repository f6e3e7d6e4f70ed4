import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai';
import type { ModelMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { finish, text, toolArguments, toolCall, USAGE, type Step } from '../support/test-engine.ts';

forbidNetwork();
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const THOUGHT: Step = { type: 'reasoning', text: 'Hm.' };
const CALL: Step[] = [
  ...[
    THOUGHT,
    toolCall(0, 'get_weather'),
    toolArguments(0, '{"city":'),
    toolArguments(0, '"Bern"}'),
  ],
  finish('tool_calls'),
];
const ANSWER: Step[] = [text('It is sunny'), text(' in Bern.'), finish()];

/** An API, and the options of every call of the SDK's default model. */
async function setUp() {
  const api = await openApi();
  const baseURL = `${ORIGIN}/v1`;
  const openai = createOpenAI({ baseURL, apiKey: api.key, fetch: browserFetch(api.app) });
  return { api, call: { model: openai(MODEL), maxRetries: 0 } };
}

const get_weather = tool({
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ sky: `sunny in ${city}` }),
});

describe('the default model of the AI SDK', () => {
  test('generates text, with usage', async () => {
    const { api, call } = await setUp();
    api.engine.next(THOUGHT, text('Hello'), finish('stop', { ...USAGE, reasoningTokens: 1 }));
    const result = await generateText({
      ...call,
      prompt: 'Hi',
      instructions: 'Be brief.',
      maxOutputTokens: 20,
      temperature: 0.5,
    });
    expect(result).toMatchObject({ text: 'Hello', reasoningText: 'Hm.', finishReason: 'stop' });
    expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3, totalTokens: 10 });
    expect(result.usage.inputTokenDetails.cacheReadTokens).toBe(2);
    expect(result.usage.outputTokenDetails.reasoningTokens).toBe(1);
    expect(api.engine.last.job).toMatchObject({
      prompt: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
      maxTokens: 20,
      sampling: { temperature: 0.5 },
    });
  });

  test('streams text and thinking', async () => {
    const { api, call } = await setUp();
    api.engine.next(THOUGHT, text('Hello'), text(' there'), finish());
    const result = streamText({ ...call, prompt: 'Hi' });
    expect(await Array.fromAsync(result.textStream)).toEqual(['Hello', ' there']);
    expect(await result.reasoningText).toBe('Hm.');
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });

  test('reports that an answer was cut', async () => {
    const { api, call } = await setUp();
    api.engine.always(text('Hello'), finish('length'));
    expect((await generateText({ ...call, prompt: 'Hi' })).finishReason).toBe('length');
    expect(await streamText({ ...call, prompt: 'Hi' }).finishReason).toBe('length');
  });

  test('goes on for several turns, though it sends back only references', async () => {
    const { api, call } = await setUp();
    const messages: ModelMessage[] = [];
    const contents: string[][] = [];
    for (const content of ['one', 'two', 'three']) {
      messages.push({ role: 'user', content });
      api.engine.next(THOUGHT, text(`answer to ${content}`), finish());
      const { response } = await generateText({ ...call, messages });
      messages.push(...response.messages);
      const { prompt } = api.engine.last.job;
      contents.push(prompt.kind === 'chat' ? prompt.messages.map((it) => it.content) : []);
    }
    const first = ['one', 'answer to one', 'two'];
    expect(contents).toEqual([['one'], first, [...first, 'answer to two', 'three']]);
  });

  test('the same, streamed, with tools', async () => {
    const { api, call } = await setUp();
    const messages: ModelMessage[] = [{ role: 'user', content: 'Weather?' }];
    const tools = { get_weather };
    api.engine.next(...CALL);
    api.engine.next(...ANSWER);
    const result = streamText({ ...call, messages, tools, stopWhen: isStepCount(3) });
    expect(await result.text).toBe('It is sunny in Bern.');
    messages.push(...(await result.responseMessages), { role: 'user', content: 'Sure?' });
    expect((await generateText({ ...call, messages, tools })).text).toBe('Hello there');
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', toolCalls: [{ arguments: '{"city":"Bern"}' }] },
        { role: 'tool', content: '{"sky":"sunny in Bern"}' },
        { role: 'assistant', content: 'It is sunny in Bern.' },
        { role: 'user', content: 'Sure?' },
      ],
    });
  });

  test('runs tools in steps', async () => {
    const { api, call } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(...ANSWER);
    const tools = { get_weather };
    const result = await generateText({ ...call, prompt: '?', tools, stopWhen: isStepCount(3) });
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(result.text).toBe('It is sunny in Bern.');
  });

  test('makes objects, streamed and not', async () => {
    const { api, call } = await setUp();
    api.engine.always(text('{"city":"Bern",'), text('"temp":1}'), finish());
    const output = Output.object({ schema: z.object({ city: z.string(), temp: z.number() }) });
    const result = await generateText({ ...call, prompt: 'Hi', output });
    expect(result.output).toEqual({ city: 'Bern', temp: 1 });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { temp: {} } } });
    const stream = streamText({ ...call, prompt: 'Hi', output });
    expect(await stream.output).toEqual({ city: 'Bern', temp: 1 });
  });

  test('gets errors as its own class, in a stream too', async () => {
    const { api, call } = await setUp();
    const refused = generateText({
      ...call,
      prompt: 'Hi',
      providerOptions: { openai: { conversation: 'c' } },
    });
    await expect(refused).rejects.toSatisfy((error) => APICallError.isInstance(error));
    await expect(refused).rejects.toMatchObject({
      statusCode: 404,
      data: { error: { code: 'conversation_not_found', param: 'conversation' } },
    });
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const errors: unknown[] = [];
    const result = streamText({
      ...call,
      prompt: 'Hi',
      onError: ({ error }) => void errors.push(error),
    });
    expect((await Array.fromAsync(result.textStream)).join('')).toBe('Hel');
    expect(JSON.stringify(errors)).toContain('The GPU is gone.');
    expect(await result.finishReason).toBe('error');
  });
});
