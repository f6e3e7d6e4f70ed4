import { afterEach, describe, expect, test, vi } from 'vitest';
import { EngineLost } from '../../../../src/core/errors/errors.ts';
import { answerOf, chatJob, openEngine, reportsOf } from '../../support/servers/engine-site.ts';
import { answering, end, FakeMlcEngine, token } from '../../support/fakes/fake-mlc-engine.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

afterEach(() => vi.useRealTimers());

const LOOK = {
  name: 'look',
  parameters: { type: 'object', properties: {} },
};

const mlc = () => FakeMlcEngine.last;
const prompts = () => mlc().requests.map(({ messages }) => messages.map(({ content }) => content));

describe('a generation', () => {
  test('whose output the parser holds back for minutes is not a hang', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { engine, onBroken } = await openEngine();
    await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    mlc().generate = async function* () {
      for (let index = 0; index < 5; index++) {
        await new Promise((resolve) => setTimeout(resolve, 100_000));
        yield token('\n');
      }
      yield* end('stop', 7, 5);
    };
    const offer = { tools: [LOOK], choice: 'auto' as const, parallel: true };
    const answer = answerOf(engine.run({ ...chatJob('a', 'Hi'), tools: offer }, NEVER));
    const outcome = expect(answer).resolves.toMatchObject({ last: { reason: 'stop' } });
    await vi.advanceTimersByTimeAsync(500_000);
    await outcome;
    expect(onBroken).not.toHaveBeenCalled();
  });

  test('downloads, loads and prompts the model, and gives its answer', async () => {
    const { engine } = await openEngine();
    const { text, last } = await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    expect(text).toBe('Hello there');
    expect(last).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 0 },
    });
    expect(prompts()).toEqual([['<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n']]);
  });

  test('reports with its first token that the prompt was read', async () => {
    const { engine } = await openEngine();
    const events = engine.run(chatJob('a', 'Hi'), NEVER)[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'start' });
    await events.return?.();
  });

  test('does not load the same model again', async () => {
    const { engine, server } = await openEngine();
    await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    server.requests.length = 0;
    await answerOf(engine.run(chatJob('a', 'Bye'), NEVER));
    expect(mlc().reloads).toHaveLength(1);
    expect(server.requests).toEqual([]);
  });

  test('of another model leaves the first one loaded', async () => {
    const { engine } = await openEngine();
    for (const model of ['a', 'b', 'a', 'b']) {
      expect((await answerOf(engine.run(chatJob(model, 'Hi'), NEVER))).text).toBe('Hello there');
    }
    expect([mlc().reloads.length, mlc().unloads]).toEqual([2, 0]);
  });

  test('that continues the last answer prefills only what is new', async () => {
    const { engine } = await openEngine();
    await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    const { last } = await answerOf(engine.run(chatJob('a', 'Hi', 'Hello there', 'Bye'), NEVER));
    expect(prompts().at(-1)).toEqual([
      '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
      'Hello there',
      '<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n',
    ]);
    // The end token of the first answer is not in the cache.
    expect(last).toMatchObject({ usage: { promptTokens: 9 + 7, cachedTokens: 9 } });
  });

  test('that continues an answer which was cut prefills everything', async () => {
    const { engine } = await openEngine();
    mlc().generate = async function* () {
      yield token('Hello');
      yield* end('length', 7, 1);
    };
    const { last } = await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    expect(last).toMatchObject({ reason: 'length' });
    await answerOf(engine.run(chatJob('a', 'Hi', 'Hello', 'Bye'), NEVER));
    expect(prompts().at(-1)).toHaveLength(1);
  });

  test('is cut before a stop string, and stops the model there', async () => {
    const { engine } = await openEngine();
    mlc().generate = answering('one ', 'EN', 'D', ' two');
    const job = { ...chatJob('a', 'Hi'), stop: ['END'] };
    const { text, last } = await answerOf(engine.run(job, NEVER));
    expect(text).toBe('one ');
    expect(last).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(mlc().interrupts).toBe(1);
    await answerOf(engine.run(chatJob('a', 'Hi', 'one ENDtwo', 'Bye'), NEVER));
    expect(prompts().at(-1)).toHaveLength(1);
  });

  test('of a raw prompt sends it as it is', async () => {
    const { engine } = await openEngine();
    const prompt = { kind: 'raw' as const, text: '<|im_end|> as it is' };
    await answerOf(engine.run({ ...chatJob('a'), prompt }, NEVER));
    expect(prompts()).toEqual([['<|im_end|> as it is']]);
  });

  test('of an unknown or uninstalled model is 404', async () => {
    const { engine, onBroken } = await openEngine();
    for (const model of ['nothing', 'mlc-ai/Some-1B-q4f16_1-MLC']) {
      await expect(answerOf(engine.run(chatJob(model, 'Hi'), NEVER))).rejects.toMatchObject({
        data: { status: 404, code: 'model_not_found' },
      });
    }
    expect(onBroken).not.toHaveBeenCalled();
  });
});

describe('two generations at once', () => {
  test('take turns, in order', async () => {
    const { engine } = await openEngine();
    const { promise, resolve } = Promise.withResolvers<void>();
    mlc().generate = async function* () {
      yield token(`${mlc().running}`);
      if (mlc().requests.length === 1) await promise;
      yield* end('stop', 1, 1);
    };
    const both = ['Hi', 'Bye'].map((text) => answerOf(engine.run(chatJob('a', text), NEVER)));
    await vi.waitFor(() => expect(mlc().running).toBe(1));
    expect(mlc().requests).toHaveLength(1);
    resolve();
    expect((await Promise.all(both)).map(({ text }) => text)).toEqual(['1', '1']);
    expect(prompts().map(([prompt]) => prompt?.slice(17, 20))).toEqual(['Hi<', 'Bye']);
  });

  test('the waiting one can be cancelled without touching the running one', async () => {
    const { engine } = await openEngine();
    const { promise, resolve } = Promise.withResolvers<void>();
    mlc().generate = async function* () {
      yield token('Hello');
      await promise;
      yield* end('stop', 1, 1);
    };
    const running = answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    await vi.waitFor(() => expect(mlc().running).toBe(1));
    const controller = new AbortController();
    const waiting = answerOf(engine.run(chatJob('a', 'Bye'), controller.signal));
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    resolve();
    expect((await running).text).toBe('Hello');
    expect([mlc().requests.length, mlc().interrupts]).toEqual([1, 0]);
  });
});

describe('a generation that is cancelled', () => {
  test('ends within a token, and the next one works', async () => {
    const { engine, onBroken } = await openEngine();
    const controller = new AbortController();
    let tokens = 0;
    mlc().generate = async function* () {
      for (;;) {
        tokens++;
        yield token('x');
      }
    };
    const events = engine.run(chatJob('a', 'Hi'), controller.signal)[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    controller.abort(new Error('enough'));
    const before = tokens;
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => events })).rejects.toThrow(
      'enough',
    );
    expect(tokens - before).toBeLessThanOrEqual(1);
    expect(mlc().running).toBe(0);
    mlc().generate = answering('Hello');
    expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello');
    expect(onBroken).not.toHaveBeenCalled();
  });
});

describe('when WebLLM', () => {
  const HANG = new Promise<never>(() => undefined);

  async function* hanging(): AsyncGenerator<never> {
    yield await HANG;
  }

  test('fails in an unforeseen way, its worker is replaced', async () => {
    const { engine, onBroken } = await openEngine();
    mlc().generate = () => {
      throw new Error('Tokenizer instance already deleted');
    };
    await expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toThrow(/Tokenizer/);
    expect(onBroken).toHaveBeenCalledOnce();
  });

  test('is to load a model, and the database is closed, only that request fails', async () => {
    const { engine, installer, onBroken } = await openEngine();
    const closed = new DOMException('The connection is closing.', 'InvalidStateError');
    const requireModel = installer.requireModel.bind(installer);
    const required = vi.spyOn(installer, 'requireModel');
    required.mockImplementationOnce(requireModel).mockRejectedValueOnce(closed);
    await expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toBe(closed);
    expect(onBroken).not.toHaveBeenCalled();
    expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
  });

  test('finds the prompt too long, the error is a 400 with both numbers', async () => {
    const { engine, onBroken } = await openEngine();
    const error = new Error('Prompt tokens exceed context window size: 5000, 2048');
    error.name = 'ContextWindowSizeExceededError';
    mlc().generate = () => {
      throw error;
    };
    await expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toMatchObject({
      data: {
        status: 400,
        code: 'context_length_exceeded',
        param: 'prompt',
        message: "This model's maximum context length is 2048 tokens; the prompt has 5000.",
      },
    });
    expect(onBroken).not.toHaveBeenCalled();
  });

  test.each([false, true])('hangs, its worker is replaced (client gone: %s)', async (isGone) => {
    const { engine, onBroken } = await openEngine();
    await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    mlc().generate = hanging;
    const controller = new AbortController();
    const failure = answerOf(engine.run(chatJob('a', 'Hi'), controller.signal)).catch(
      (error: unknown) => error,
    );
    await new Promise((resolve) => setImmediate(resolve));
    if (isGone) controller.abort();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failure).toMatchObject({ data: { code: 'timeout' } });
    // Otherwise the next worker would get the same job.
    expect(await failure).not.toBeInstanceOf(EngineLost);
    expect(onBroken).toHaveBeenCalledOnce();
  });

  test.each([
    ['Device lost: out of memory', 'out_of_memory'],
    ['Cannot find WebGPU in the environment', 'webgpu_unavailable'],
  ])('cannot load: "%s" is %s, for the client and for watchers', async (message, code) => {
    const { engine, progress } = await openEngine();
    mlc().load = () => Promise.reject(new Error(message));
    const reports = await reportsOf(progress, () =>
      expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toMatchObject({
        data: { status: 500, code },
      }),
    );
    expect(reports.at(-1)).toMatchObject({ model: 'a', stage: 'failed' });
    expect(reports.at(-1)?.text).toContain(message);
  });

  test('could not load, the next request tries again', async () => {
    const { engine } = await openEngine();
    mlc().load = () => Promise.reject(new Error('WebGPU is busy'));
    await expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toThrow();
    mlc().load = () => Promise.resolve();
    expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
  });
});
