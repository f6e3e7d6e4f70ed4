import { afterEach, expect, test, vi } from 'vitest';
import { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';
import { KEPT } from '../../../support/models/kept-prompts.ts';
import { openServer, PROMPT } from '../../../support/models/model-servers.ts';
import { readTinyChat } from '../../../support/models/tiny-chat-llama.ts';

afterEach(() => vi.restoreAllMocks());

/** A server whose model arrives in eighths of its file. */
function openArriving() {
  const opened = openServer();
  const bytes = readTinyChat();
  const parts = [{ name: 'tiny.gguf', size: bytes.length }];
  opened.server.receive({
    type: 'load',
    request: { parts, contextLength: 4096, threads: 1, kept: KEPT },
  });
  const eighth = Math.ceil(bytes.length / 8);
  const fill = (from: number, to: number) => {
    const pieces = [bytes.slice(from * eighth, to * eighth)];
    opened.server.receive({ type: 'fill', part: 0, pieces });
  };
  return { ...opened, fill };
}

test('a model that is being downloaded is warmed up before its weights are there, and answers as usual', async () => {
  const warmUp = vi.spyOn(Llama.prototype, 'warmUp');
  const { messages, fill, until, generate, textOf } = openArriving();
  fill(0, 4);
  await vi.waitFor(() => expect(warmUp).toHaveReturned(), 20_000);
  expect(messages.some(({ type }) => type === 'loaded')).toBe(false);
  fill(4, 8);
  await until('loaded');
  generate(1);
  const ended = await until('ended');
  expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
  expect(ended).toMatchObject({
    outcome: {
      finish: { usage: { promptTokens: expect.any(Number) as unknown, cachedTokens: 0 } },
    },
  });
  expect(warmUp).toHaveBeenCalledOnce();
});

test('the beginning of a prompt that is expected is read while the weights arrive, and not again', async () => {
  const reading = vi.spyOn(Llama.prototype, 'continuePrefill');
  const decode = vi.spyOn(Llama.prototype, 'decode');
  const { server, messages, fill, until, generate, textOf } = openArriving();
  fill(0, 4);
  await until('opened');
  server.receive({ type: 'expect', prompt: PROMPT });
  await vi.waitFor(() => expect(reading).toHaveReturnedTimes(1));
  for (const from of [4, 5, 6, 7]) fill(from, from + 1);
  await until('loaded');
  const left = reading.mock.results.map(({ value }) => value as number);
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(new Set(left).size).toBeGreaterThan(2);
  expect(left.at(-1)).toBe(0);
  generate(1);
  await until('ended');
  expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
  // Each step decodes one token of the answer.
  expect(decode.mock.calls.every(([, tokens]) => tokens.length === 1)).toBe(true);
  expect(messages).toContainEqual(
    expect.objectContaining({
      type: 'progress',
      prompt: expect.objectContaining({ cachedTokens: 0 }) as unknown,
    }),
  );
});

test('an early failure that leaves llama.cpp in an unknown state is told', async () => {
  const { server, fill, until } = openArriving();
  fill(0, 4);
  await until('opened');
  const reading = vi.spyOn(Llama.prototype, 'continuePrefill').mockReturnValue(1);
  server.receive({ type: 'expect', prompt: PROMPT });
  await vi.waitFor(() => expect(reading).toHaveBeenCalled());
  reading.mockImplementation(() => {
    throw new LlamaError('broken', 'An assertion failed.');
  });
  fill(4, 8);
  expect((await until('failed')).failure).toMatchObject({ kind: 'broken' });
});

test('an expected prompt that cannot be read does no harm', async () => {
  const { server, fill, until, generate, textOf } = openArriving();
  fill(0, 4);
  await until('opened');
  vi.spyOn(Llama.prototype, 'beginPrefill').mockImplementation(() => {
    throw new LlamaError('failed', 'No.');
  });
  server.receive({ type: 'expect', prompt: 'Something else' });
  fill(4, 8);
  await until('loaded');
  generate(1);
  await until('ended');
  expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
});
