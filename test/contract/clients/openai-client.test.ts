import type OpenAI from 'openai';
import { APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { describe, expect, test, vi } from 'vitest';
import { rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import {
  EMBEDDER,
  HUB_MODEL,
  MODEL,
  openApi,
  RANKER,
  RECOGNISER,
  SPEECH_MODEL,
} from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { finish, HANG, text } from '../support/test-engine.ts';

const CHAT = {
  model: MODEL,
  messages: [{ role: 'user' as const, content: 'Hi' }],
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

describe('the openai package', () => {
  test('lists and retrieves models', async () => {
    const client = (await openApi()).client();
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual([MODEL, HUB_MODEL, EMBEDDER, RANKER, RECOGNISER, SPEECH_MODEL]);
    expect((await client.models.retrieve(HUB_MODEL)).owned_by).toBe('mlc-ai');
  });

  test('completes a chat', async () => {
    const client = (await openApi()).client();
    const { data, request_id } = await client.chat.completions.create(CHAT).withResponse();
    expect(data.choices[0]?.message.content).toBe('Hello there');
    expect(data.usage?.prompt_tokens_details?.cached_tokens).toBe(2);
    expect(request_id).toMatch(/^req_/);
  });

  test('streams a chat', async () => {
    const client = (await openApi()).client();
    const stream = await client.chat.completions.create({
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    let received = '';
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      received += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage;
    }
    expect(received).toBe('Hello there');
    expect(usage?.total_tokens).toBe(10);
  });

  test('streams through its helper, which checks every chunk', async () => {
    const client = (await openApi()).client();
    const runner = client.chat.completions.stream(CHAT);
    const pieces: string[] = [];
    runner.on('content', (delta) => pieces.push(delta));
    const completion = await runner.finalChatCompletion();
    expect(pieces).toEqual(['Hello', ' there']);
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello there' },
    });
  });

  test('completes a text, both ways', async () => {
    const client = (await openApi()).client();
    const whole = await client.completions.create({ model: MODEL, prompt: 'Hi' });
    expect(whole.choices[0]?.text).toBe('Hello there');
    let received = '';
    const stream = await client.completions.create({ model: MODEL, prompt: 'Hi', stream: true });
    for await (const chunk of stream) received += chunk.choices[0]?.text ?? '';
    expect(received).toBe('Hello there');
  });

  test('stops the engine when the client leaves its stream', async () => {
    const api = await openApi();
    api.engine.next(text('Hello'), HANG);
    const stream = await api.client().chat.completions.create({ ...CHAT, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });

  test('stops the engine when its stream is aborted', async () => {
    const api = await openApi();
    api.engine.next(text('Hello'), HANG);
    const runner = api.client().chat.completions.stream(CHAT);
    runner.on('content', () => runner.abort());
    await expect(runner.finalContent()).rejects.toBeInstanceOf(APIUserAbortError);
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  });

  test('stops the engine when it gives up waiting for a JSON answer', async () => {
    const api = await openApi({ graceMs: { stream: 0, json: 0 } });
    api.engine.next({ type: 'start' }, HANG);
    const controller = new AbortController();
    const answer = api.client().chat.completions.create(CHAT, { signal: controller.signal });
    const outcome = expect(answer).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    controller.abort();
    await outcome;
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  });

  test('a failure in the middle of a stream is an APIError, with the code', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const stream = await api.client().chat.completions.create({ ...CHAT, stream: true });
    let received = '';
    const reading = (async () => {
      for await (const chunk of stream) received += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toMatchObject({ code: 'engine_error' });
    expect(received).toBe('Hel');
  });

  test('a failure in the middle of a JSON answer is an APIError, with the status and the code', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const answer = api.client({ maxRetries: 0 }).chat.completions.create(CHAT);
    await expect(answer).rejects.toMatchObject({ status: 500, code: 'engine_error' });
  });

  test('a failure in the middle of a JSON answer is asked again by the package', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const { choices } = await api.client().chat.completions.create(CHAT);
    expect(choices[0]?.message.content).toBe('Hello there');
  });
});

describe('errors reach the openai package as its own classes', () => {
  test('401', async () => {
    const client = (await openApi()).client({ apiKey: 'sk-wrong' });
    await expect(client.models.list()).rejects.toMatchObject({
      constructor: AuthenticationError,
      code: 'invalid_api_key',
    });
  });

  test('404', async () => {
    const client = (await openApi()).client();
    await expect(
      client.chat.completions.create({ ...CHAT, model: 'gpt-4o' }),
    ).rejects.toMatchObject({
      constructor: NotFoundError,
      code: 'model_not_found',
      param: 'model',
    });
  });

  test('400, with the field', async () => {
    const client = (await openApi()).client();
    await expect(client.chat.completions.create({ ...CHAT, temperature: 3 })).rejects.toMatchObject(
      { constructor: BadRequestError, param: 'temperature' },
    );
  });
});

describe('the openai package retries', () => {
  test('after a 500 that may be transient', async () => {
    const api = await openApi();
    api.engine.next(serverError('engine_error', 'The GPU is gone.'));
    const completion = await api.client().chat.completions.create(CHAT);
    expect(completion.choices[0]?.message.content).toBe('Hello there');
    expect(api.engine.runs).toHaveLength(2);
  });

  test('after a 429, when it was told to', async () => {
    const api = await openApi();
    api.engine.next(rateLimited('Too many.', 30));
    const setTimeout = vi.spyOn(globalThis, 'setTimeout');
    await api.client().chat.completions.create(CHAT);
    expect(api.engine.runs).toHaveLength(2);
    expect(setTimeout).toHaveBeenCalledWith(expect.any(Function), 30);
    setTimeout.mockRestore();
  });

  test.each(['timeout', 'webgpu_unavailable', 'out_of_memory', 'storage_full'] as const)(
    'but not after %s, which is permanent',
    async (code) => {
      const api = await openApi();
      api.engine.next(serverError(code, 'No.'));
      await expect(api.client().chat.completions.create(CHAT)).rejects.toMatchObject({ code });
      expect(api.engine.runs).toHaveLength(1);
    },
  );

  test('but not after a 400', async () => {
    const api = await openApi();
    const fetch = vi.fn(browserFetch(api.app));
    const client = api.client({ fetch });
    await expect(client.chat.completions.create({ ...CHAT, messages: [] })).rejects.toBeInstanceOf(
      BadRequestError,
    );
    expect(fetch).toHaveBeenCalledOnce();
  });
});

test('two chats at once do not mix', async () => {
  const api = await openApi();
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.next(text('o'), promise, text('ne'), finish());
  api.engine.next(text('two'), finish());
  const client = api.client();
  const one = client.chat.completions.create(CHAT);
  await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
  const two = await client.chat.completions.create(CHAT);
  resolve();
  expect(two.choices[0]?.message.content).toBe('two');
  expect((await one).choices[0]?.message.content).toBe('one');
  expect((await one).id).not.toBe(two.id);
});
