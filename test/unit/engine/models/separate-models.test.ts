import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineLost, serverError } from '../../../../src/core/errors/errors.ts';
import { LlamaCppBackend } from '../../../../src/engine/llamacpp/engine/llamacpp-backend.ts';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { TextModels } from '../../../../src/engine/models/text-models.ts';
import { iterated } from '../../support/sinks.ts';
import { textRoad } from '../../support/models/text-road.ts';
import { ggufVariant, installation, packEntry } from '../../support/entries.ts';
import { answerOf, chatJob } from '../../support/servers/engine-site.ts';
import {
  DIE,
  FakeModelWorker,
  LOADED,
  WAIT,
  startFake,
} from '../../support/fakes/fake-model-worker.ts';
import { NEVER } from '../../support/never.ts';

beforeEach(() => FakeModelWorker.reset());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The text engine with the models "a" and "b" of llama.cpp, each of one byte. */
function openEngine() {
  const onBroken = vi.fn<() => void>();
  const progress = new ProgressBoard();
  const memory = new ModelMemory({ budget: () => Promise.resolve(10), unloadAfterMs: Infinity });
  const installed = (id: string) => ({
    entry: packEntry(id),
    installation: installation('r1'),
    contextLength: 64,
    variant: ggufVariant(id, { needs: { memoryBytes: 1 } }),
  });
  const text = new TextModels({
    backend: new LlamaCppBackend({ base: 'http://site/', threads: undefined }, startFake),
    installer: {
      requireModel: async (id) => installed(id),
      touch: () => Promise.resolve(),
      loadVerified: (_model, load) => load(() => Promise.resolve(new Blob(['gguf']))),
      variantOf: async (id) => installed(id).variant,
    },
    progress,
    memory,
    onBroken,
    loads: {
      check: () => Promise.resolve(),
      during: (_model, load) => load(),
      noteAnswer: () => Promise.resolve(),
      noteGpuFailure: () => Promise.resolve(true),
      noteImages: () => Promise.resolve(),
      noteGpuError: () => Promise.resolve(false),
      noteMemoryError: () => Promise.resolve(false),
    },
  });
  const engine = iterated(textRoad(text));
  const ask = (model: string, templateOptions = {}) => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const prompt = { kind: 'chat' as const, messages, templateOptions };
    return answerOf(engine.run({ ...chatJob(model), prompt }, NEVER));
  };
  const failureOf = (model: string, templateOptions = {}) =>
    ask(model, templateOptions).catch((error: unknown) => error);
  return { ask, failureOf, memory, progress, onBroken };
}

test('a model that fails is loaded again for the next request; other models and the engine stay', async () => {
  const { ask, failureOf, memory, progress, onBroken } = openEngine();
  await ask('b');
  FakeModelWorker.script = function* () {
    yield 'one ';
    yield DIE;
  };
  const failure = await failureOf('a');
  expect(failure).not.toBeInstanceOf(EngineLost);
  expect(failure).toMatchObject({ data: { status: 500, code: 'engine_error' } });
  expect([memory.has('a'), memory.has('b')]).toEqual([false, true]);
  expect([...progress.states()].map(({ progress: { model, stage } }) => [model, stage])).toEqual([
    ['b', 'ready'],
    ['a', 'failed'],
  ]);
  const lost = FakeModelWorker.made.length;
  FakeModelWorker.reset();
  expect((await ask('a')).text).toBe('one two three');
  expect((await ask('b')).text).toBe('one two three');
  expect(lost).toBe(3);
  expect(FakeModelWorker.made).toHaveLength(1);
  expect(onBroken).not.toHaveBeenCalled();
});

test('a model without memory fails alone', async () => {
  const { failureOf, memory, onBroken } = openEngine();
  FakeModelWorker.load = () => ({ kind: 'memory', message: 'No.' });
  expect(await failureOf('a')).toMatchObject({ data: { code: 'out_of_memory' } });
  expect(memory.has('a')).toBe(false);
  expect(onBroken).not.toHaveBeenCalled();
});

test('a load without progress is tried once more, and ends the workers of that model alone', async () => {
  const { ask, failureOf, memory, onBroken } = openEngine();
  await ask('b');
  FakeModelWorker.load = () => WAIT;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failure = failureOf('a');
  await vi.advanceTimersByTimeAsync(260_000);
  expect(await failure).toMatchObject({
    data: { code: 'timeout', message: 'The model made no progress in loading for 120 seconds.' },
  });
  const ended = FakeModelWorker.made.map(({ isTerminated }) => isTerminated);
  expect(ended).toEqual([false, true, true]);
  expect([memory.has('a'), memory.has('b')]).toEqual([false, true]);
  expect(onBroken).not.toHaveBeenCalled();
});

test('a worker that never starts gets one successor', async () => {
  const { ask, failureOf } = openEngine();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  FakeModelWorker.starts = false;
  const failure = failureOf('a');
  await vi.advanceTimersByTimeAsync(260_000);
  expect(await failure).toMatchObject({
    data: { code: 'timeout', message: 'The model made no progress in starting for 120 seconds.' },
  });
  const answer = ask('b');
  await vi.advanceTimersByTimeAsync(60_000);
  FakeModelWorker.starts = true;
  await vi.advanceTimersByTimeAsync(61_000);
  expect((await answer).text).toBe('one two three');
  expect(FakeModelWorker.made).toHaveLength(4);
});

test('a model that hangs is ended', async () => {
  const { ask, failureOf, memory, onBroken } = openEngine();
  await ask('a');
  FakeModelWorker.script = function* () {
    yield WAIT;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failure = failureOf('a');
  await vi.advanceTimersByTimeAsync(130_000);
  expect(await failure).toMatchObject({ data: { code: 'timeout' } });
  expect(memory.has('a')).toBe(false);
  expect(FakeModelWorker.made.at(-1)?.isTerminated).toBe(true);
  expect(onBroken).not.toHaveBeenCalled();
});

test('a model that reads a prompt for minutes does not hang', async () => {
  const { ask, memory } = openEngine();
  await ask('a');
  FakeModelWorker.script = function* () {
    yield WAIT;
    yield 'read';
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = ask('a');
  for (let part = 0; part < 5; part++) {
    await vi.advanceTimersByTimeAsync(100_000);
    FakeModelWorker.made.at(-1)?.read();
  }
  await vi.advanceTimersByTimeAsync(100_000);
  FakeModelWorker.made.at(-1)?.write();
  await vi.advanceTimersByTimeAsync(1000);
  expect((await answer).text).toBe('read');
  expect(memory.has('a')).toBe(true);
});

test('a request that is refused leaves its model in memory', async () => {
  const { failureOf, memory } = openEngine();
  FakeModelWorker.script = function* () {
    yield { kind: 'constraint', message: 'Rule is not defined.' };
  };
  expect(await failureOf('a')).toMatchObject({ data: { status: 400 } });
  expect(memory.has('a')).toBe(true);
});

const LEVELS = "{{ messages[0].content }}{% if level %}{{ level + '!' }}{% endif %}";

test('a request on which the chat template fails is refused, and its model stays warm', async () => {
  FakeModelWorker.load = () => ({
    ...LOADED,
    tokenizer: { ...LOADED.tokenizer, chatTemplate: LEVELS },
  });
  const { ask, failureOf, memory } = openEngine();
  expect((await ask('a', { level: 'low' })).text).toBe('one two three');
  expect(await failureOf('a', { level: 5 })).toMatchObject({
    data: { status: 400, param: 'template.level', code: null },
  });
  expect(memory.has('a')).toBe(true);
  expect(FakeModelWorker.made.map(({ isTerminated }) => isTerminated)).toEqual([false]);
});

test.each([
  ['a mask without a possible token', 'The model computed no possible next token.', 'engine_error'],
  ['a batch that does not fit into memory', 'No.', 'out_of_memory'],
] as const)('an answer that fails with %s leaves its model in memory', async (_, message, code) => {
  const { data } = serverError(code, message);
  FakeModelWorker.script = function* () {
    yield { kind: 'api', data };
  };
  const { failureOf, memory } = openEngine();
  expect(await failureOf('a')).toMatchObject({ data: { status: 500, code } });
  expect(memory.has('a')).toBe(true);
});
