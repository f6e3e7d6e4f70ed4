import { ContextOverflowError } from '@langchain/core/errors';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { contextOverflow, serverError } from '../../../src/core/errors/errors.ts';
import { openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { langchainFields } from '../support/other-clients.ts';
import { finish, HANG, text } from '../support/test-engine.ts';

forbidNetwork();

const Weather = z.object({ city: z.string(), temp: z.number() });

async function setUp(fields: ChatOpenAIFields = {}) {
  const api = await openApi();
  return { api, model: new ChatOpenAI(langchainFields(api, fields)) };
}

describe('LangChain', () => {
  test('invokes a model', async () => {
    const { api, model } = await setUp({ temperature: 0.5, topP: 0.9, maxTokens: 20, stop: ['.'] });
    const message = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hi')]);
    expect(message.content).toBe('Hello there');
    expect(message.usage_metadata).toMatchObject({
      input_tokens: 7,
      output_tokens: 3,
      total_tokens: 10,
      input_token_details: { cache_read: 2 },
    });
    expect(message.response_metadata['finish_reason']).toBe('stop');
    expect(api.engine.last.job).toMatchObject({
      prompt: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
      sampling: { temperature: 0.5, topP: 0.9 },
      maxTokens: 20,
      stop: ['.'],
    });
  });

  test('streams, with usage', async () => {
    const { model } = await setUp();
    const chunks = await Array.fromAsync(await model.stream('Hi'));
    const pieces = chunks.map((chunk) => chunk.text).filter((piece) => piece !== '');
    expect(pieces).toEqual(['Hello', ' there']);
    const usage = chunks.findLast((chunk) => chunk.usage_metadata)?.usage_metadata;
    expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  });

  test('asks for several answers at once', async () => {
    const { model } = await setUp();
    const messages = await model.batch(['Hi', 'Ho', 'Hum']);
    expect(messages.map(({ content }) => content)).toEqual(Array(3).fill('Hello there'));
  });

  test('completes a text, both ways', async () => {
    const api = await openApi();
    const model = new OpenAI(langchainFields(api));
    expect(await model.invoke('Hi')).toBe('Hello there');
    expect(api.engine.last.job.prompt).toEqual({ kind: 'raw', text: 'Hi' });
    expect((await Array.fromAsync(await model.stream('Hi'))).join('')).toBe('Hello there');
  });

  test('reads thinking', async () => {
    const { api, model } = await setUp();
    api.engine.next({ type: 'reasoning', text: 'Let me see.' }, text('Hello'), finish());
    const message = await model.invoke('Hi');
    expect(message.content).toBe('Hello');
    expect(message.additional_kwargs['reasoning_content']).toBe('Let me see.');
  });
});

describe('withStructuredOutput of LangChain', () => {
  test.each([undefined, 'jsonSchema'] as const)('by %s follows the schema', async (method) => {
    const { api, model } = await setUp();
    api.engine.next(text('{"city": "Bern",'), text(' "temp": 21.5}'), finish());
    const structured = model.withStructuredOutput(Weather, {
      name: 'weather',
      strict: true,
      ...(method && { method }),
    });
    expect(await structured.invoke('Hi')).toEqual({ city: 'Bern', temp: 21.5 });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { temp: {} } } });
  });

  test('by jsonMode asks for an object', async () => {
    const { api, model } = await setUp();
    api.engine.next(text('{"city": "Bern", "temp": 21.5}'), finish());
    const structured = model.withStructuredOutput(Weather, { method: 'jsonMode' });
    expect(await structured.invoke('Hi')).toEqual({ city: 'Bern', temp: 21.5 });
    expect(api.engine.last.job.format).toEqual({ type: 'json_object' });
  });

  test('streams as a growing object', async () => {
    const { api, model } = await setUp();
    api.engine.next(text('{"city":"Bern",'), text('"temp":-3}'), finish());
    const structured = model.withStructuredOutput(Weather, { name: 'weather' });
    const parts = await Array.fromAsync(await structured.stream('Hi'));
    expect(parts.at(-1)).toEqual({ city: 'Bern', temp: -3 });
  });
});

describe('errors reach LangChain as its own classes:', () => {
  test.each([false, true])('a prompt that is too long (streaming: %s)', async (streaming) => {
    const { api, model } = await setUp({ streaming });
    api.engine.next(contextOverflow('2048 tokens, and the prompt has 3000'));
    await expect(model.invoke('Hi')).rejects.toBeInstanceOf(ContextOverflowError);
  });

  test('a wrong key', async () => {
    const { model } = await setUp({ apiKey: 'sk-wrong' });
    await expect(model.invoke('Hi')).rejects.toMatchObject({
      status: 401,
      lc_error_code: 'MODEL_AUTHENTICATION',
    });
  });

  test('an unknown model', async () => {
    const { model } = await setUp({ model: 'gpt-4o-mini-like' });
    await expect(model.invoke('Hi')).rejects.toMatchObject({
      status: 404,
      lc_error_code: 'MODEL_NOT_FOUND',
    });
  });

  test('a failure in the middle of a stream', async () => {
    const { api, model } = await setUp();
    api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    let received = '';
    const reading = (async () => {
      for await (const chunk of await model.stream('Hi')) received += chunk.text;
    })();
    await expect(reading).rejects.toThrow('The GPU is gone.');
    expect(received).toBe('Hel');
  });
});

describe('LangChain stops the engine', () => {
  test('when a stream is aborted', async () => {
    const { api, model } = await setUp();
    api.engine.next(text('Hello'), HANG);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const { content } of await model.stream('Hi', { signal: controller.signal })) {
        if (content === 'Hello') controller.abort();
      }
    })();
    await expect(reading).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });

  test('when it no longer waits for an answer', async () => {
    const api = await openApi({ graceMs: { stream: 0, json: 0 } });
    const model = new ChatOpenAI(langchainFields(api, {}));
    api.engine.next({ type: 'start' }, HANG);
    const controller = new AbortController();
    const outcome = expect(model.invoke('Hi', { signal: controller.signal })).rejects.toThrow(
      /abort/i,
    );
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    controller.abort();
    await outcome;
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  });
});
