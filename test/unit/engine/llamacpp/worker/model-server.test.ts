import { afterEach, describe, expect, test, vi } from 'vitest';
import { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import type { ModelServer } from '../../../../../src/engine/llamacpp/worker/model-server.ts';
import { outputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import { KEPT } from '../../../support/models/kept-prompts.ts';
import { openServer, PROMPT } from '../../../support/models/model-servers.ts';
import { readTinyChat } from '../../../support/models/tiny-chat-llama.ts';

afterEach(() => vi.restoreAllMocks());

test('a model is loaded with progress, and its facts are told', async () => {
  const { messages, until, load } = openServer();
  await load();
  const { model } = await until('loaded');
  expect(model).toMatchObject({
    // The model was trained with no more.
    vocabularySize: 1024,
    contextLength: 2048,
    stripsFirstSpace: false,
    tokenizer: { eosToken: '<|im_end|>' },
  });
  expect(model.cacheBytes).toBeGreaterThan(100_000);
  expect(messages.some((message) => message.type === 'loading' && message.done === 1)).toBe(true);
});

test('a model in the store is not warmed up: the CPU has no time to spare', async () => {
  const warmUp = vi.spyOn(Llama.prototype, 'warmUp');
  const { until, load } = openServer();
  await load();
  await until('loaded');
  expect(warmUp).not.toHaveBeenCalled();
});

test('a generation writes text and ends with its usage and what is warm', async () => {
  const { until, load, generate, textOf } = openServer();
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

test('generations run together, and each can be stopped, also before it begins', async () => {
  const { server, messages, load, generate, textOf } = openServer(({ type }) => {
    if (type === 'text' && textOf(1).endsWith('3')) server.receive({ type: 'stop', id: 1 });
  });
  await load();
  const generation = {
    sampling: { temperature: 0 },
    random: { seed: 1, choice: 0, drawn: 0 },
  };
  generate(1, { generation });
  generate(2, { generation });
  generate(3);
  server.receive({ type: 'stop', id: 2 });
  await vi.waitFor(() => expect(messages.filter(({ type }) => type === 'ended')).toHaveLength(3));
  const ends = messages.flatMap((message) => (message.type === 'ended' ? message.id : []));
  expect(new Set(ends)).toEqual(new Set([1, 2, 3]));
  expect(textOf(1)).toBe('1 2 3');
  expect(textOf(2)).toBe('');
  expect(textOf(3)).toBe('1 2 3 4 5 6 7 8 9 10');
});

test('the bytes of all tokens are told', async () => {
  const { server, until, load } = openServer();
  await load();
  server.receive({ type: 'vocabulary' });
  const { tokens } = await until('vocabulary');
  expect(tokens.ends).toHaveLength(1024);
  expect(tokens.ends.at(-1)).toBe(tokens.bytes.length);
});

test('a prompt has the tokens that are read, and they are told while an answer is written', async () => {
  const { server, messages, until, load, generate } = openServer();
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
    const { until, load } = openServer();
    await load(new Uint8Array(100));
    const { failure } = await until('failed');
    expect(failure).toEqual({ kind: 'file', message: 'tiny.gguf is not a GGUF file.' });
  });

  test('a file whose weights end too early', async () => {
    const { until, load } = openServer();
    await load(readTinyChat().slice(0, 1_000_000));
    const { failure } = await until('failed');
    expect(failure).toMatchObject({ kind: 'file', message: expect.stringMatching(/incomplete/) });
  });

  test('a prompt that does not fit, and a grammar that does not compile', async () => {
    const { messages, load, generate } = openServer();
    await load(undefined, 256);
    const generation = {
      sampling: { temperature: 0 },
      random: { seed: 1, choice: 0, drawn: 0 },
      constraint: outputConstraint('root ::= nothing\n'),
    };
    generate(1, { prompt: 'x '.repeat(300) });
    generate(2, { generation });
    generate(3);
    const outcomes = await vi.waitFor(() => {
      const all = messages.flatMap((each) => (each.type === 'ended' ? each : []));
      expect(all).toHaveLength(3);
      // The answers run at once, and may end in any order.
      return all.toSorted((one, other) => one.id - other.id).map(({ outcome }) => outcome);
    });
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
        kept: KEPT,
      },
    });
  const fill = (server: ModelServer, start: number, end: number) =>
    server.receive({ type: 'fill', part: 0, pieces: [file.slice(start, end)] });

  test('is loaded when all of it is there, and answers as one from a Blob', async () => {
    const { server, messages, until, generate, textOf } = openServer();
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
    const { server, until } = openServer();
    begin(server);
    server.receive({ type: 'fill', part: 0, pieces: [new Uint8Array(HEADER)] });
    const { failure } = await until('failed');
    expect(failure).toEqual({ kind: 'file', message: 'tiny.gguf is not a GGUF file.' });
  });
});
