import { createAnthropic, type AnthropicProviderSettings } from '@ai-sdk/anthropic';
import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai';
import type { ModelMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { CALL } from './messages-clients.ts';
import { finish, text, type Step } from '../support/test-engine.ts';

forbidNetwork();
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const START: Step = { type: 'start', prompt: { promptTokens: 7, cachedTokens: 2 } };
const ANSWER: Step[] = [START, text('It is sunny'), text(' in Bern.'), finish()];

async function setUp(settings: AnthropicProviderSettings = {}) {
  const api = await openApi();
  const base = { baseURL: `${ORIGIN}/v1`, apiKey: api.key, fetch: browserFetch(api.app) };
  const provider = createAnthropic({ ...base, ...settings });
  return { api, call: { model: provider(MODEL), maxRetries: 0 } };
}

const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => ({ sky: `sunny in ${city}` }),
  }),
};

describe('the AI SDK’s provider for Anthropic', () => {
  test('generates text, with usage', async () => {
    const { api, call } = await setUp();
    const instructions = 'Be brief.';
    const result = await generateText({ ...call, prompt: 'Hi', instructions, maxOutputTokens: 20 });
    expect(result).toMatchObject({ text: 'Hello there', finishReason: 'stop' });
    expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(result.usage.inputTokenDetails.cacheReadTokens).toBe(2);
    expect(api.engine.last.job).toMatchObject({
      prompt: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
      maxTokens: 20,
    });
  });

  test('streams text and thinking, with usage', async () => {
    const { api, call } = await setUp();
    api.engine.next(
      START,
      { type: 'reasoning', text: 'Hm.' },
      text('Hello'),
      text(' there'),
      finish(),
    );
    const thinking = { type: 'enabled' as const, budgetTokens: 1024 };
    const result = streamText({
      ...call,
      prompt: 'Hi',
      providerOptions: { anthropic: { thinking } },
    });
    expect(await Array.fromAsync(result.textStream)).toEqual(['Hello', ' there']);
    expect(await result.reasoningText).toBe('Hm.');
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(api.engine.last.job).toMatchObject({ maxThinkingTokens: 1024 });
  });

  test('runs tools in steps, and sends its thinking back', async () => {
    const { api, call } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(...ANSWER);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Weather?' }];
    const result = streamText({ ...call, messages, tools, stopWhen: isStepCount(3) });
    expect(await result.text).toBe('It is sunny in Bern.');
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', reasoning: 'Hm.', toolCalls: [{ arguments: '{"city":"Bern"}' }] },
        { role: 'tool', content: '{"sky":"sunny in Bern"}' },
      ],
    });
  });

  test('makes objects', async () => {
    const { api, call } = await setUp();
    api.engine.next(...CALL.slice(0, 2), text('{"city":"Bern"}'), finish());
    const output = Output.object({ schema: z.object({ city: z.string() }) });
    const providerOptions = { anthropic: { structuredOutputMode: 'outputFormat' as const } };
    const result = await generateText({ ...call, prompt: 'Hi', output, providerOptions });
    expect(result.output).toEqual({ city: 'Bern' });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { city: {} } } });
  });

  test('takes a token instead of a key', async () => {
    const api = await openApi();
    const fetch = browserFetch(api.app);
    const provider = createAnthropic({ baseURL: `${ORIGIN}/v1`, authToken: api.key, fetch });
    expect((await generateText({ model: provider(MODEL), prompt: 'Hi' })).text).toBe('Hello there');
  });

  test('gets errors as its own class, in a stream too', async () => {
    const { api, call } = await setUp({ apiKey: 'sk-wrong' });
    const refused = generateText({ ...call, prompt: 'Hi' });
    await expect(refused).rejects.toSatisfy((error) => APICallError.isInstance(error));
    await expect(refused).rejects.toMatchObject({
      statusCode: 401,
      message: expect.stringMatching('Incorrect API key'),
    });
    const { call: right, api: other } = await setUp();
    expect(api.engine.runs).toEqual([]);
    other.engine.next(START, text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const result = streamText({ ...right, prompt: 'Hi', onError });
    expect((await Array.fromAsync(result.textStream)).join('')).toBe('Hel');
    expect(JSON.stringify(errors)).toContain('The GPU is gone.');
  });
});
