import { APICallError, generateText, NoObjectGeneratedError, Output, streamText } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { contextOverflow, rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { aiProvider } from '../support/other-clients.ts';
import { finish, HANG, text, USAGE } from '../support/test-engine.ts';

forbidNetwork();
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const Weather = z.object({ city: z.string(), temp: z.number().min(-90).max(60) });

/** An API, and the options of every call of the SDK. */
async function setUp(
  settings: Parameters<typeof aiProvider>[1] = {},
  setup: Parameters<typeof openApi>[0] = {},
) {
  const api = await openApi(setup);
  const provider = aiProvider(api, settings);
  return { api, provider, call: { model: provider(MODEL), prompt: 'Hi', maxRetries: 0 } };
}

describe('the AI SDK', () => {
  test('generates text, with usage', async () => {
    const { api, call } = await setUp();
    const result = await generateText({
      ...call,
      instructions: 'Be brief.',
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 20,
      seed: 7,
      stopSequences: ['.'],
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
    });
    expect(result.text).toBe('Hello there');
    expect(result.finishReason).toBe('stop');
    expect(result.warnings).toEqual([]);
    expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3, totalTokens: 10 });
    expect(result.usage.inputTokenDetails.cacheReadTokens).toBe(2);
    expect(result.response.modelId).toBe(MODEL);
    expect(api.engine.last.job).toMatchObject({
      model: MODEL,
      prompt: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      sampling: { temperature: 0.5, topP: 0.9, seed: 7, frequencyPenalty: 0.1 },
      maxTokens: 20,
      stop: ['.'],
    });
  });

  test('reports that an answer was cut', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('Hello'), finish('length'));
    expect((await generateText(call)).finishReason).toBe('length');
  });

  test('streams text, with usage', async () => {
    const { call } = await setUp({ includeUsage: true });
    const result = streamText(call);
    expect(await Array.fromAsync(result.textStream)).toEqual(['Hello', ' there']);
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });

  test('completes a text, both ways', async () => {
    const { api, provider, call } = await setUp();
    const completion = { ...call, model: provider.completionModel(MODEL) };
    expect((await generateText(completion)).text).toBe('Hello there');
    expect(api.engine.last.job.prompt).toMatchObject({ kind: 'raw' });
    const { textStream } = streamText(completion);
    expect((await Array.fromAsync(textStream)).join('')).toBe('Hello there');
  });

  test('separates thinking from text, both ways', async () => {
    const { api, call } = await setUp();
    const usage = { ...USAGE, reasoningTokens: 2 };
    api.engine.always(
      ...[
        { type: 'reasoning', text: 'Let me ' } as const,
        { type: 'reasoning', text: 'see.' } as const,
      ],
      ...[text('Hello'), finish('stop', usage)],
    );
    const result = await generateText({ ...call, reasoning: 'high' });
    expect(result).toMatchObject({ text: 'Hello', reasoningText: 'Let me see.' });
    expect(result.usage.outputTokenDetails).toMatchObject({ reasoningTokens: 2, textTokens: 1 });
    expect(api.engine.last.job.prompt).toMatchObject({
      templateOptions: { enable_thinking: true },
    });
    const stream = streamText(call);
    expect(await stream.reasoningText).toBe('Let me see.');
    expect(await stream.text).toBe('Hello');
  });
});

describe('structured output of the AI SDK', () => {
  const output = Output.object({ schema: Weather });

  test('follows the schema and is parsed', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"city": "Bern",'), text(' "temp": 21.5}'), finish());
    const result = await generateText({ ...call, output });
    expect(result.output).toEqual({ city: 'Bern', temp: 21.5 });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { temp: {} } } });
  });

  test('streams as parts of the object', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"city":"Bern",'), text('"temp":-3}'), finish());
    const result = streamText({ ...call, output });
    const partial = await Array.fromAsync(result.partialOutputStream);
    expect(partial[0]).toEqual({ city: 'Bern' });
    expect(await result.output).toEqual({ city: 'Bern', temp: -3 });
  });

  test('may be an array', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"elements":[{"city":"Bern","temp":1}]}'), finish());
    const result = await generateText({ ...call, output: Output.array({ element: Weather }) });
    expect(result.output).toEqual([{ city: 'Bern', temp: 1 }]);
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { elements: {} } } });
  });

  test('may be a choice', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"result":"rainy"}'), finish());
    const choice = Output.choice({ options: ['sunny', 'rainy'] });
    expect((await generateText({ ...call, output: choice })).output).toBe('rainy');
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { result: {} } } });
  });

  test('may be any JSON', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"a":[1]}'), finish());
    expect((await generateText({ ...call, output: Output.json() })).output).toEqual({ a: [1] });
    expect(api.engine.last.job.format).toEqual({ type: 'json_object' });
  });

  test('without a schema on the wire is any object', async () => {
    const api = await openApi();
    api.engine.next(text('{"city":"Bern","temp":1}'), finish());
    const provider = aiProvider(api, { supportsStructuredOutputs: false });
    const result = await generateText({ model: provider(MODEL), prompt: 'Hi', output });
    expect(result.output).toEqual({ city: 'Bern', temp: 1 });
    expect(result.warnings).toHaveLength(1);
    expect(api.engine.last.job.format).toEqual({ type: 'json_object' });
  });

  test('is not an object if it was cut', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('{"city": "Be'), finish('length'));
    const answer = generateText({ ...call, output }).then((result) => result.output);
    await expect(answer).rejects.toSatisfy(
      (error) => NoObjectGeneratedError.isInstance(error) && error.finishReason === 'length',
    );
  });
});

describe('errors reach the AI SDK as its own classes:', () => {
  test('401', async () => {
    const { call } = await setUp({ apiKey: 'sk-wrong' });
    const error = await generateText(call).catch((thrown: unknown) => thrown);
    expect(error).toSatisfy((it) => APICallError.isInstance(it));
    expect(error).toMatchObject({
      statusCode: 401,
      isRetryable: false,
      message: 'Incorrect API key provided.',
      data: { error: { type: 'invalid_request_error', code: 'invalid_api_key', param: null } },
    });
  });

  test('404', async () => {
    const { provider, call } = await setUp();
    const error = await generateText({ ...call, model: provider('gpt-4o') }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toSatisfy((it) => APICallError.isInstance(it));
    expect(error).toMatchObject({ statusCode: 404, isRetryable: false });
  });

  test('400, of a prompt that is too long', async () => {
    const { api, call } = await setUp();
    api.engine.next(contextOverflow('2048 tokens, and the prompt has 3000'));
    const error = await generateText(call).catch((thrown: unknown) => thrown);
    expect(error).toSatisfy((it) => APICallError.isInstance(it));
    expect(error).toMatchObject({
      statusCode: 400,
      data: { error: { code: 'context_length_exceeded' } },
    });
  });

  test('429, and it retries when it was told to', async () => {
    const { api, call } = await setUp();
    api.engine.next(rateLimited('Too many.', 30));
    const setTimeout = vi.spyOn(globalThis, 'setTimeout');
    expect((await generateText({ ...call, maxRetries: 1 })).text).toBe('Hello there');
    expect(setTimeout).toHaveBeenCalledWith(expect.any(Function), 30);
    setTimeout.mockRestore();
    expect(api.engine.runs).toHaveLength(2);
  });

  test('a failure in the middle of a stream', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const onError = vi.fn<(event: { error: unknown }) => void>();
    const result = streamText({ ...call, onError });
    expect((await Array.fromAsync(result.textStream)).join('')).toBe('Hel');
    expect(onError).toHaveBeenCalledOnce();
    expect(JSON.stringify(onError.mock.calls[0]?.[0])).toContain('The GPU is gone.');
    expect(await result.finishReason).toBe('error');
  });
});

describe('an abort of the AI SDK stops the engine', () => {
  test('in a stream', async () => {
    const { api, call } = await setUp();
    api.engine.next(text('Hello'), HANG);
    const controller = new AbortController();
    const onAbort = vi.fn();
    const result = streamText({ ...call, abortSignal: controller.signal, onAbort });
    for await (const _piece of result.textStream) controller.abort();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
    expect(onAbort).toHaveBeenCalledOnce();
  });

  test('before the answer', async () => {
    // A service worker sees it once the response has begun.
    const { api, call } = await setUp({}, { graceMs: { stream: 0, json: 0 } });
    api.engine.next({ type: 'start' }, HANG);
    const controller = new AbortController();
    const answer = generateText({ ...call, abortSignal: controller.signal });
    const outcome = expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    controller.abort();
    await outcome;
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  });
});
