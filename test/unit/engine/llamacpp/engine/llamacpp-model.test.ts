import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ModelLost } from '../../../../../src/engine/road/failure-policy.ts';
import { chatJob } from '../../../support/servers/engine-site.ts';
import type { LoadRequest } from '../../../../../src/engine/conversation/text-backend.ts';
import type { WorkerFailure } from '../../../../../src/engine/llamacpp/messages.ts';
import {
  DIE,
  FakeModelWorker,
  LOADED,
  WAIT,
  type Script,
} from '../../../support/fakes/fake-model-worker.ts';
import {
  backend,
  canAllocate,
  generate,
  last,
  open,
  request,
  workers,
} from '../../../support/models/llamacpp-models.ts';
import { NEVER } from '../../../support/never.ts';

beforeEach(() => FakeModelWorker.reset());

describe('a generation', () => {
  test('gives progress, text with the number of tokens so far, and the end', async () => {
    const { events } = await generate(await open());
    const prompt = { promptTokens: 5, cachedTokens: 0 };
    expect(events).toEqual([
      { type: 'progress', read: { ...prompt, readTokens: 5 } },
      { type: 'text', text: 'one ', tokens: [], count: 1, hides: false, prompt },
      { type: 'text', text: 'two ', tokens: [], count: 2, hides: false, prompt },
      { type: 'text', text: 'three', tokens: [], count: 3, hides: false, prompt },
      {
        type: 'finish',
        reason: 'stop',
        usage: { promptTokens: 5, completionTokens: 4, cachedTokens: 0 },
      },
    ]);
  });

  test('may use one more KV cache if memory allows it', async () => {
    const model = await open();
    await generate(model);
    canAllocate.mockResolvedValue(false);
    await generate(model);
    expect(last().requests.map(({ mayAddCache }) => mayAddCache)).toEqual([true, false]);
    expect(canAllocate).toHaveBeenCalledWith(LOADED.cacheBytes, false);
    expect(model.model.extraBytes).toBe(LOADED.cacheBytes);
  });

  test('leaves room for another model with more than eight KV caches', async () => {
    const model = await open();
    // Each of these takes one more.
    for (let conversation = 0; conversation < 9; conversation++) await generate(model);
    const leavesRoom = canAllocate.mock.calls.map(([, leaves]) => leaves);
    expect(leavesRoom).toEqual([...Array<boolean>(8).fill(false), true]);
  });

  test('makes its conversation warm', async () => {
    const model = await open();
    expect(model.model.isWarm('Hi there')).toBe(false);
    await generate(model, { prompt: 'Hi there' });
    expect(model.model.isWarm('Hi there, you')).toBe(true);
  });

  test('masks control tokens under a grammar', async () => {
    const model = await open();
    const format = { type: 'json_object' as const };
    await model.generate({ ...chatJob('a', 'Hello'), format }, NEVER, () => undefined);
    expect(last().requests[0]?.generation.sampling.logitBias).toEqual({ 1: -100 });
  });

  test('that is interrupted ends with what was passed on, whatever was written since', async () => {
    const model = await open();
    const { text, last: end } = await generate(model, { onText: (interrupt) => interrupt() });
    expect(text).toBe('one ');
    expect(end).toMatchObject({ type: 'finish', reason: 'stop', usage: { completionTokens: 1 } });
    expect((await generate(model)).text).toBe('one two three');
  });

  test('that is aborted throws the reason and stops the worker', async () => {
    FakeModelWorker.script = function* () {
      yield 'one ';
      yield WAIT;
    };
    const model = await open();
    const controller = new AbortController();
    const reason = new DOMException('Enough', 'AbortError');
    const running = generate(model, {
      signal: controller.signal,
      onText: () => controller.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    expect(last().stopped).toContain(1);
    expect(last().isTerminated).toBe(false);
    FakeModelWorker.reset();
  });
});

describe('if the worker is lost in an answer', () => {
  const ENDS = { 'is killed': DIE, breaks: { kind: 'broken', message: 'trap' } } as const;

  for (const [name, end] of Object.entries(ENDS)) {
    test(`because it ${name}, another one continues at the same token`, async () => {
      FakeModelWorker.script = function* ({ written }) {
        const isFirst = workers().length === 1;
        yield* ['one ', 'two ', 'three'].slice(written.length, isFirst ? 2 : 3);
        if (isFirst) yield end;
      };
      const model = await open();
      const { text, counts } = await generate(model);
      expect(text).toBe('one two three');
      expect(counts).toEqual([1, 2, 3]);
      expect(workers()).toHaveLength(2);
      expect(last().requests[0]?.written).toEqual([4, 4]);
      expect(workers()[0]?.isTerminated).toBe(true);
      expect(model.model.isWarm('Hi')).toBe(true);
    });
  }

  test('twice, the answer fails, and only its model', async () => {
    FakeModelWorker.script = function* () {
      yield 'one ';
      yield DIE;
    };
    const error = await generate(await open()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelLost);
    expect(error).toMatchObject({ data: { code: 'engine_error', status: 500 } });
    expect(workers()).toHaveLength(2);
  });

  test('and no other can be loaded, the answer fails with the reason', async () => {
    FakeModelWorker.script = function* () {
      yield DIE;
    };
    const model = await open();
    FakeModelWorker.load = () => ({ kind: 'memory', message: 'No.' });
    const error = await generate(model).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ data: { code: 'out_of_memory' } });
  });
});

describe('on a GPU', () => {
  const onGpuFailure = vi.fn<LoadRequest['onGpuFailure']>();
  const openOnGpu = () => {
    const { installed } = request({});
    return open({ installed: { ...installed, runsOn: 'webgpu' }, onGpuFailure });
  };
  const devices = () => workers().map(({ loaded }) => (loaded?.onGpu ? 'webgpu' : 'wasm'));
  const failing = (failures: WorkerFailure[]): Script =>
    function* ({ written }) {
      const failure = failures[workers().length - 1];
      yield* ['one ', 'two ', 'three'].slice(written.length, failure ? written.length + 1 : 3);
      if (failure) yield failure;
    };
  const lost = { kind: 'gpu', message: 'Lost.', fault: 'passing' } as const;
  const wrong = { kind: 'gpu', message: 'Wrong.', fault: 'final' } as const;

  beforeEach(() => {
    onGpuFailure.mockReset();
    // LoadLog does the same.
    onGpuFailure.mockImplementation((_, fault) =>
      Promise.resolve(fault === 'final' || onGpuFailure.mock.calls.length === 2),
    );
  });

  test.each<[string, WorkerFailure[], string[]]>([
    ['lost once, continues there', [lost], ['webgpu', 'webgpu']],
    ['lost twice, continues on the CPU', [lost, lost], ['webgpu', 'webgpu', 'wasm']],
    ['wrong, continues on the CPU', [wrong], ['webgpu', 'wasm']],
  ])('an answer whose GPU is %s', async (_, failures, expected) => {
    FakeModelWorker.script = failing(failures);
    const { text, counts } = await generate(await openOnGpu());
    expect(text).toBe('one two three');
    expect(counts).toEqual([1, 2, 3]);
    expect(devices()).toEqual(expected);
    expect(onGpuFailure.mock.calls).toEqual(
      failures.map((failure) => 'fault' in failure && [failure.message, failure.fault]),
    );
  });

  test('several answers that lose one GPU count it once, and all continue there', async () => {
    FakeModelWorker.script = failing([lost]);
    const model = await openOnGpu();
    const answers = await Promise.all([generate(model), generate(model), generate(model)]);
    expect(answers.map(({ text }) => text)).toEqual(Array(3).fill('one two three'));
    expect(devices()).toEqual(['webgpu', 'webgpu']);
    expect(onGpuFailure).toHaveBeenCalledOnce();
  });

  test('a model that the GPU cannot load is loaded on the CPU', async () => {
    FakeModelWorker.load = ({ onGpu }) => (onGpu ? wrong : LOADED);
    const { text } = await generate(await openOnGpu());
    expect(text).toBe('one two three');
    expect(devices()).toEqual(['webgpu', 'wasm']);
    expect(onGpuFailure).toHaveBeenCalledExactlyOnceWith('Wrong.', 'final');
  });

  test.each([
    ['once is loaded there', [lost], ['webgpu', 'webgpu']],
    ['twice is loaded on the CPU', [lost, lost], ['webgpu', 'webgpu', 'wasm']],
  ])('a model whose GPU is lost during its load %s', async (_, losses, expected) => {
    FakeModelWorker.load = () => losses[workers().length - 1] ?? LOADED;
    const { text } = await generate(await openOnGpu());
    expect(text).toBe('one two three');
    expect(devices()).toEqual(expected);
    expect(onGpuFailure.mock.calls).toEqual(losses.map(({ message, fault }) => [message, fault]));
  });

  test.each([undefined, 'llama.cpp lacks POOL_2D.'])(
    'a model that sees says why the CPU computes its images: %s',
    async (imagesOnCpu) => {
      const onImages = vi.fn<LoadRequest['onImages']>().mockResolvedValue();
      const told = imagesOnCpu === undefined ? LOADED : { ...LOADED, imagesOnCpu };
      FakeModelWorker.load = () => told;
      const { installed } = request({});
      if (installed.variant.engine !== 'llamacpp') throw new Error('It is for another engine.');
      const [projector = ''] = installed.variant.parts;
      const variant = { ...installed.variant, projector };
      await open({ installed: { ...installed, variant, runsOn: 'webgpu' }, onImages });
      expect(onImages).toHaveBeenCalledExactlyOnceWith(imagesOnCpu);
      await open({ installed: { ...installed, variant, runsOn: 'wasm' }, onImages });
      expect(onImages).toHaveBeenCalledOnce();
    },
  );

  test('a model is not loaded while it is downloaded', () => {
    const { installed } = request({});
    expect(backend().receive({ ...installed, runsOn: 'webgpu' })).toBeUndefined();
    expect(workers()).toEqual([]);
  });
});

test('if an idle worker was killed, the next answer has another one', async () => {
  const model = await open();
  await generate(model);
  last().terminate();
  await vi.waitFor(() => expect(model.model.isWarm('Hi')).toBe(false));
  expect((await generate(model)).text).toBe('one two three');
  expect(workers()).toHaveLength(2);
});

test('an unloaded model’s worker is ended', async () => {
  const model = await open();
  await model.model.unload();
  expect(last().isTerminated).toBe(true);
});

test('the bytes of tokens come from the worker', async () => {
  const model = await open();
  const job = { ...chatJob('a', 'Hello'), topLogprobs: 0 };
  FakeModelWorker.script = function* () {};
  await model.generate(job, NEVER, () => undefined);
  const { vocabulary } = model.model as {
    vocabulary?: () => Promise<{ bytes(id: number): Uint8Array }>;
  };
  const tokens = await vocabulary?.call(model.model);
  expect([0, 1, 2, 3].map((id) => [...(tokens?.bytes(id) ?? [])])).toEqual([
    [97],
    [],
    [98, 99],
    [],
  ]);
});

describe('the tokenizer', () => {
  test('asks the worker for the tokens of a text, and knows their texts', async () => {
    const { tokenizer } = (await open()).model;
    expect(await tokenizer?.encode('Hi')).toEqual([1, 1]);
    expect(await tokenizer?.decode([2, 0])).toBe('bca');
    expect(await tokenizer?.pieces([2, 0])).toEqual(['bc', 'a']);
  });
});
