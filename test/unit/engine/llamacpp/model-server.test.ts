import { afterEach, describe, expect, test, vi } from 'vitest';
import makeModule from '../../../../models/llamacpp/built/llamacpp.js';
import { Llama } from '../../../../src/engine/llamacpp/llama.ts';
import { LlamaError } from '../../../../src/engine/llamacpp/llama-error.ts';
import type { FromModelWorker, Generate } from '../../../../src/engine/llamacpp/messages.ts';
import { ModelServer } from '../../../../src/engine/llamacpp/model-server.ts';
import { moduleOpener } from '../../../../src/engine/llamacpp/open-module.ts';
import { outputConstraint } from '../../../../src/engine/text/output-constraint.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import { readTinyChat, sized } from '../../support/tiny-chat-llama.ts';
import { decodeFake } from '../../support/fake-llama.ts';
import { threadScope } from '../../support/thread-scope.ts';

const WASM = new URL('../../../../models/llamacpp/built/llamacpp.wasm', import.meta.url);
const THREADED = { script: new URL('x:threads.js'), wasm: new URL('x:threads.wasm') };
const SCOPE = threadScope(false);

const PROMPT = '<|im_start|>user\nCount to 100.<|im_end|>\n<|im_start|>assistant\n';

afterEach(() => vi.restoreAllMocks());

function open() {
  const messages: FromModelWorker[] = [];
  const server = new ModelServer({
    openModule: moduleOpener(makeModule, WASM, THREADED, SCOPE),
    xgrammar: loadXGrammar(),
    decodeImage: decodeFake,
    // Node handles such messages before timers, browsers do not.
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    tell: (message) => messages.push(message),
  });
  const until = <T extends FromModelWorker['type']>(type: T) =>
    vi.waitFor(() => {
      const found = messages.findLast((message) => message.type === type);
      if (!found) throw new Error(`There was no ${type}.`);
      return found as Extract<FromModelWorker, { type: T }>;
    }, 20_000);
  const load = async (bytes = readTinyChat(), contextLength = 4096) => {
    const parts = [{ name: 'tiny.gguf', ...sized(bytes) }];
    server.receive({ type: 'load', request: { parts, contextLength, threads: 1 } });
  };
  const generate = (id: number, changes: Partial<Generate> = {}) =>
    server.receive({
      ...{ type: 'generate', id },
      request: {
        ...{ prompt: PROMPT, written: [], mayAddCache: true },
        generation: {
          ...{ sampling: { temperature: 0 }, random: { seed: 1, choice: 0, drawn: 0 } },
          maxTokens: 20,
        },
        ...changes,
      },
    });
  const textOf = (id: number) =>
    messages
      .flatMap((message) =>
        message.type === 'text' && message.id === id ? message.piece.text : [],
      )
      .join('');
  return { server, messages, until, load, generate, textOf };
}

test('a model is loaded with progress, and its facts are told', async () => {
  const { messages, until, load } = open();
  await load();
  const { model } = await until('loaded');
  expect(model).toMatchObject({
    // The model was trained with no more.
    ...{ vocabularySize: 1024, contextLength: 2048, stripsFirstSpace: false },
    tokenizer: { eosToken: '<|im_end|>' },
  });
  expect(model.cacheBytes).toBeGreaterThan(100_000);
  expect(messages.some((message) => message.type === 'loading' && message.done === 1)).toBe(true);
});

test('a model that is being downloaded is warmed up before its weights are there, and answers as usual', async () => {
  const warmUp = vi.spyOn(Llama.prototype, 'warmUp');
  const { server, messages, until, generate, textOf } = open();
  const bytes = readTinyChat();
  const parts = [{ name: 'tiny.gguf', size: bytes.length }];
  server.receive({ type: 'load', request: { parts, contextLength: 4096, threads: 1 } });
  const half = Math.floor(bytes.length / 2);
  server.receive({ type: 'fill', part: 0, pieces: [bytes.slice(0, half)] });
  await vi.waitFor(() => expect(warmUp).toHaveReturned(), 20_000);
  expect(messages.some(({ type }) => type === 'loaded')).toBe(false);
  server.receive({ type: 'fill', part: 0, pieces: [bytes.slice(half)] });
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
  const { server, messages, until, generate, textOf } = open();
  const bytes = readTinyChat();
  const parts = [{ name: 'tiny.gguf', size: bytes.length }];
  server.receive({ type: 'load', request: { parts, contextLength: 4096, threads: 1 } });
  const eighth = Math.ceil(bytes.length / 8);
  const fill = (from: number, to: number) =>
    server.receive({ type: 'fill', part: 0, pieces: [bytes.slice(from * eighth, to * eighth)] });
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

test('an expected prompt that cannot be read does no harm', async () => {
  const { server, until, generate, textOf } = open();
  const bytes = readTinyChat();
  const parts = [{ name: 'tiny.gguf', size: bytes.length }];
  server.receive({ type: 'load', request: { parts, contextLength: 4096, threads: 1 } });
  const half = Math.floor(bytes.length / 2);
  server.receive({ type: 'fill', part: 0, pieces: [bytes.slice(0, half)] });
  await until('opened');
  vi.spyOn(Llama.prototype, 'beginPrefill').mockImplementation(() => {
    throw new LlamaError('failed', 'No.');
  });
  server.receive({ type: 'expect', prompt: 'Something else' });
  server.receive({ type: 'fill', part: 0, pieces: [bytes.slice(half)] });
  await until('loaded');
  generate(1);
  await until('ended');
  expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
});

test('a model in the store is not warmed up: the CPU has no time to spare', async () => {
  const warmUp = vi.spyOn(Llama.prototype, 'warmUp');
  const { until, load } = open();
  await load();
  await until('loaded');
  expect(warmUp).not.toHaveBeenCalled();
});

test('a generation writes text and ends with its usage and what is warm', async () => {
  const { until, load, generate, textOf } = open();
  await load();
  generate(1);
  const ended = await until('ended');
  expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
  expect(ended).toMatchObject({
    id: 1,
    outcome: { kind: 'finished', finish: { reason: 'length', usage: { completionTokens: 20 } } },
    warm: { texts: [PROMPT], caches: 1 },
  });
});

test('generations run one after the other, and each can be stopped, also before it begins', async () => {
  const { server, messages, load, generate, textOf } = open();
  await load();
  const generation = {
    ...{ sampling: { temperature: 0 }, random: { seed: 1, choice: 0, drawn: 0 } },
  };
  generate(1, { generation });
  generate(2, { generation });
  generate(3);
  server.receive({ type: 'stop', id: 2 });
  await vi.waitFor(() => expect(textOf(1)).toContain('1 2 3'), 20_000);
  server.receive({ type: 'stop', id: 1 });
  await vi.waitFor(
    () => expect(messages.filter(({ type }) => type === 'ended')).toHaveLength(3),
    20_000,
  );
  const ends = messages.flatMap((message) => (message.type === 'ended' ? message.id : []));
  expect(ends).toEqual([1, 2, 3]);
  expect(textOf(1)).not.toContain('100');
  expect(textOf(2)).toBe('');
  expect(textOf(3)).toBe('1 2 3 4 5 6 7 8 9 10');
});

test('the bytes of all tokens are told', async () => {
  const { server, until, load } = open();
  await load();
  server.receive({ type: 'vocabulary' });
  const { tokens } = await until('vocabulary');
  expect(tokens.ends).toHaveLength(1024);
  expect(tokens.ends.at(-1)).toBe(tokens.bytes.length);
});

test('a prompt has the tokens that are read, and they are told while an answer is written', async () => {
  const { server, messages, until, load, generate } = open();
  await load();
  await until('loaded');
  generate(1);
  server.receive({ type: 'encode', id: 2, text: PROMPT, images: undefined });
  const [ended, encoded] = [await until('ended'), await until('encoded')];
  expect(messages.indexOf(encoded)).toBeLessThan(messages.indexOf(ended));
  expect(ended).toMatchObject({
    outcome: { finish: { usage: { promptTokens: encoded.tokens.length } } },
  });
});

describe('a failure is told by its kind:', () => {
  test('a file that is no GGUF file', async () => {
    const { until, load } = open();
    await load(new Uint8Array(100));
    const { failure } = await until('failed');
    expect(failure).toEqual({ kind: 'file', message: 'tiny.gguf is not a GGUF file.' });
  });

  test('a file whose weights end too early', async () => {
    const { until, load } = open();
    await load(readTinyChat().slice(0, 1_000_000));
    const { failure } = await until('failed');
    expect(failure).toMatchObject({ kind: 'file', message: expect.stringMatching(/incomplete/) });
  });

  test('a prompt that does not fit, and a grammar that does not compile', async () => {
    const { messages, load, generate } = open();
    await load(undefined, 256);
    const generation = {
      ...{ sampling: { temperature: 0 }, random: { seed: 1, choice: 0, drawn: 0 } },
      constraint: outputConstraint('root ::= nothing\n'),
    };
    generate(1, { prompt: 'x '.repeat(300) });
    generate(2, { generation });
    generate(3);
    const outcomes = await vi.waitFor(() => {
      const all = messages.flatMap((each) => (each.type === 'ended' ? each.outcome : []));
      expect(all).toHaveLength(3);
      return all;
    }, 20_000);
    expect(outcomes).toMatchObject([
      { kind: 'failed', failure: { kind: 'api', data: { code: 'context_length_exceeded' } } },
      { kind: 'failed', failure: { kind: 'constraint' } },
      { kind: 'finished' },
    ]);
  });
});

describe('a model whose file arrives piece by piece', () => {
  const file = readTinyChat();
  const HEADER = 1 << 20;
  const begin = (server: ModelServer) =>
    server.receive({
      type: 'load',
      request: {
        parts: [{ name: 'tiny.gguf', size: file.length }],
        contextLength: 512,
        threads: 1,
      },
    });
  const fill = (server: ModelServer, start: number, end: number) =>
    server.receive({ type: 'fill', part: 0, pieces: [file.slice(start, end)] });

  test('is loaded when all of it is there, and answers as one from a Blob', async () => {
    const { server, messages, until, generate, textOf } = open();
    begin(server);
    fill(server, 0, HEADER);
    await until('filled');
    expect(messages.some(({ type }) => type === 'loaded')).toBe(false);
    fill(server, HEADER, file.length);
    await until('loaded');
    generate(1);
    await until('ended');
    expect(textOf(1)).toBe('1 2 3 4 5 6 7 8 9 10');
    const taken = messages.flatMap((message) => (message.type === 'filled' ? message.pieces : []));
    expect(taken.map(({ length }) => length)).toEqual([HEADER, file.length - HEADER]);
  });

  test('fails as soon as its header is known to be wrong', async () => {
    const { server, until } = open();
    begin(server);
    server.receive({ type: 'fill', part: 0, pieces: [new Uint8Array(HEADER)] });
    const { failure } = await until('failed');
    expect(failure).toEqual({ kind: 'file', message: 'tiny.gguf is not a GGUF file.' });
  });
});
