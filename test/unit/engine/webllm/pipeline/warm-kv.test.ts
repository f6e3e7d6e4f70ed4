import { MLCEngine } from '@mlc-ai/web-llm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RawEvent } from '../../../../../src/engine/conversation/text-model.ts';
import { WebLlmModel } from '../../../../../src/engine/webllm/webllm-model.ts';
import { end, FakeMlcEngine } from '../../../support/fakes/fake-mlc-engine.ts';
import { CACHE_BYTES, decode, encode, FakePipeline } from '../../../support/fakes/fake-pipeline.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const [STOP = 0] = encode('|');
const LOAD = {
  modelLibrary: '',
  overrides: {},
  stopTokenIds: [STOP],
  prefixTokenIds: null,
  needsF16: false,
};

const canAllocate = vi.fn<(bytes: number) => Promise<boolean>>();

let pipeline: FakePipeline;

beforeEach(() => {
  FakeMlcEngine.reset();
  vi.stubGlobal('GPUBufferUsage', { STORAGE: 128 });
  pipeline = new FakePipeline();
  canAllocate.mockReset().mockResolvedValue(true);
});

async function open(): Promise<WebLlmModel> {
  const webllm = new WebLlmModel(MLCEngine);
  FakeMlcEngine.last.pipelines.set('model', pipeline);
  await webllm.load({ ...LOAD, canAllocate }, () => undefined);
  return webllm;
}

interface Asked {
  output?: string;
  /** Why the model writes no more. */
  reason?: string;
  signal?: AbortSignal;
}

/** What is prefilled for a prompt, and how its answer ends. */
async function ask(
  webllm: WebLlmModel,
  prompt: string,
  { output = 'hi', reason, signal }: Asked = {},
) {
  FakeMlcEngine.last.generate = ({ messages }) => {
    expect(messages).toEqual([{ role: 'user', content: prompt }]);
    return pipeline.answer(prompt, output, reason);
  };
  const generation = {
    sampling: { temperature: 0 },
    random: { seed: 1, choice: 0, drawn: 0 },
  };
  const events: RawEvent[] = [];
  const never = new AbortController().signal;
  await webllm.generate(prompt, generation, signal ?? never, (event) => events.push(event));
  return { prefilled: pipeline.prefilled.at(-1), last: events.at(-1) };
}

const held = () => pipeline.caches.map(({ tokens }) => decode(tokens));
const disposed = () => pipeline.caches.map((cache) => cache.disposed);

describe('two conversations', () => {
  test('continue in a KV cache each', async () => {
    const webllm = await open();
    await ask(webllm, 'one|A:');
    await ask(webllm, 'two|A:');
    const { prefilled, last } = await ask(webllm, 'one|A:hi|more|A:');
    expect(prefilled).toBe('|more|A:');
    const usage = { promptTokens: 16, completionTokens: 3, cachedTokens: 8 };
    expect(last).toEqual({ type: 'finish', reason: 'stop', usage });
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
    expect(held()).toEqual(['one|A:hi|more|A:hi', 'two|A:hi|more|A:hi']);
  });

  test('share one if the GPU has no memory for another', async () => {
    pipeline.hasMemory = false;
    const webllm = await open();
    await ask(webllm, 'one|A:');
    expect((await ask(webllm, 'two|A:')).prefilled).toBe('two|A:');
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
    expect(held()).toEqual(['two|A:hi|more|A:hi']);
  });

  test('share one if another cannot be made', async () => {
    const webllm = await open();
    pipeline.functions = [];
    await ask(webllm, 'one|A:');
    expect((await ask(webllm, 'two|A:')).prefilled).toBe('two|A:');
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
  });

  test('share one while no more memory may be taken', async () => {
    const webllm = await open();
    canAllocate.mockResolvedValue(false);
    await ask(webllm, 'one|A:');
    expect((await ask(webllm, 'two|A:')).prefilled).toBe('two|A:');
    expect(canAllocate).toHaveBeenCalledWith(CACHE_BYTES);
    expect(webllm.extraBytes).toBe(0);
    canAllocate.mockResolvedValue(true);
    await ask(webllm, 'one|A:');
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
    expect(webllm.extraBytes).toBe(CACHE_BYTES);
  });

  test('are reduced to the one used last if memory has to be freed', async () => {
    const webllm = await open();
    await ask(webllm, 'one|A:');
    await ask(webllm, 'two|A:');
    webllm.releaseExtra();
    expect(disposed()).toEqual([true, false]);
    expect(webllm.extraBytes).toBe(0);
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
    expect((await ask(webllm, 'one|A:')).prefilled).toBe('one|A:');
    expect(disposed()).toEqual([true, false, false]);
  });

  test('are reduced to one when the running answer ends', async () => {
    const webllm = await open();
    await ask(webllm, 'one|A:');
    pipeline.onPrefilled = () => webllm.releaseExtra();
    await ask(webllm, 'two|A:');
    expect(disposed()).toEqual([true, false]);
    pipeline.onPrefilled = () => undefined;
    expect((await ask(webllm, 'two|A:hi|more|A:')).prefilled).toBe('|more|A:');
  });
});

describe('the KV cache is cut', () => {
  test('to a prompt that is repeated', async () => {
    const webllm = await open();
    await ask(webllm, 'hello|A:', { output: 'one answer' });
    const { prefilled, last } = await ask(webllm, 'hello|A:', { output: 'two' });
    expect(prefilled).toBe(':');
    expect(last).toMatchObject({ usage: { promptTokens: 8, cachedTokens: 7 } });
    expect(held()).toEqual(['hello|A:two']);
  });

  test('to the part before an answer that max_tokens cut', async () => {
    const webllm = await open();
    await ask(webllm, 'hello|A:', { output: 'one answer', reason: 'length' });
    expect(held()).toEqual(['hello|A:one answe']);
    expect((await ask(webllm, 'hello|A:one answer|more|A:')).prefilled).toBe('r|more|A:');
  });

  test('to what was read when the client left', async () => {
    const webllm = await open();
    const controller = new AbortController();
    pipeline.onPrefilled = () => controller.abort(new Error('left'));
    const { signal } = controller;
    await expect(ask(webllm, 'hello|A:', { signal })).rejects.toThrow('left');
    expect((await ask(webllm, 'hello|A:')).prefilled).toBe(':');
  });

  test('to nothing when WebLLM failed in it', async () => {
    const webllm = await open();
    await ask(webllm, 'hello|A:');
    pipeline.onPrefilled = () => {
      throw new Error('failed');
    };
    await expect(ask(webllm, 'hello|A:hi|more|A:')).rejects.toThrow('failed');
    pipeline.onPrefilled = () => undefined;
    const { prefilled, last } = await ask(webllm, 'hello|A:hi|more|A:');
    expect(prefilled).toBe('hello|A:hi|more|A:');
    expect(last).toMatchObject({ usage: { cachedTokens: 0 } });
    expect(held()).toEqual(['hello|A:hi|more|A:hi']);
  });

  test('to nothing by a prompt that does not fit', async () => {
    const webllm = await open();
    await ask(webllm, 'hello|A:');
    await expect(ask(webllm, 'x'.repeat(1001))).rejects.toThrow();
    expect((await ask(webllm, 'hello|A:hi|more|A:')).prefilled).toBe('|more|A:');
  });
});

describe('WebLLM’s only KV cache is used in WebLLM’s own way', () => {
  const withTurns = [
    { role: 'user', content: 'one|A:' },
    { role: 'assistant', content: 'Hello there' },
    { role: 'user', content: '|more|A:' },
  ];
  test.each<[what: string, change: (changed: FakePipeline) => void]>([
    ['with a sliding window', (changed) => (changed.slidingWindowSize = 512)],
    ['with a recurrent state', (changed) => (changed.rnnState = {})],
    ['with a manifest', (changed) => (changed.artifact = {})],
    ['whose library can cut none', (changed) => changed.functions.shift()],
    ['whose library makes none', (changed) => changed.functions.pop()],
    [
      'of a WebLLM that reads prompts otherwise',
      (changed) => Reflect.set(changed, 'getInputData', 0),
    ],
  ])('by a model %s', async (_what, change) => {
    change(pipeline);
    const webllm = await open();
    const { signal } = new AbortController();
    const generation = {
      sampling: { temperature: 0 },
      random: { seed: 1, choice: 0, drawn: 0 },
    };
    for (const prompt of ['one|A:', 'one|A:Hello there|more|A:']) {
      await webllm.generate(prompt, generation, signal, () => undefined);
    }
    expect(FakeMlcEngine.last.requests.at(-1)?.messages).toEqual(withTurns);
    webllm.releaseExtra();
    expect(webllm.extraBytes).toBe(0);
  });
});

test('nothing is left of a conversation when its model is unloaded', async () => {
  const webllm = await open();
  await ask(webllm, 'hello|A:');
  expect(webllm.isWarm('hello|A:hi|')).toBe(true);
  await webllm.unload();
  expect(webllm.isWarm('hello|A:hi|')).toBe(false);
});

describe('what WebLLM knows of tokens', () => {
  test('is told with the text: of the prompt, and how much of it was cached', async () => {
    const webllm = await open();
    await ask(webllm, 'Hi there');
    FakeMlcEngine.last.generate = () => pipeline.answer('Hi there, you', 'yes');
    const events = await greedy(webllm, 'Hi there, you');
    expect(events[0]).toMatchObject({ prompt: { promptTokens: 13, cachedTokens: 8 } });
  });

  test('is its tokenizer, with the tokens that it writes before every prompt', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    expect(webllm.tokenizer).toBeUndefined();
    FakeMlcEngine.last.pipelines.set('model', pipeline);
    await webllm.load({ ...LOAD, prefixTokenIds: [1], canAllocate }, () => undefined);
    expect(await webllm.tokenizer?.encode('Hi')).toEqual([1, ...encode('Hi')]);
    expect(await webllm.tokenizer?.decode(encode('Hi'))).toBe('Hi');
    expect(await webllm.tokenizer?.pieces(encode('Hi'))).toEqual(['H', 'i']);
  });

  test('keeps an answer from exceeding the context by the token that is not read any more', async () => {
    pipeline.contextWindowSize = 10;
    const webllm = await open();
    FakeMlcEngine.last.generate = async function* () {
      for await (const chunk of pipeline.answer('12345678', 'abc', 'abort')) {
        yield chunk;
        if (FakeMlcEngine.last.interrupts > 0) break;
      }
      yield* end('abort', 8, 2);
    };
    // WebLLM counts its tokens itself.
    Object.defineProperty(pipeline, 'curRoundCompletionTotalTokens', {
      get: () => pipeline.outputIds.length,
    });
    const events = await greedy(webllm, '12345678');
    expect(FakeMlcEngine.last.interrupts).toBeGreaterThan(0);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });
});

async function greedy(webllm: WebLlmModel, prompt: string): Promise<RawEvent[]> {
  const asked = { sampling: { temperature: 0 }, random: { seed: 1, choice: 0, drawn: 0 } };
  const events: RawEvent[] = [];
  const { signal } = new AbortController();
  await webllm.generate(prompt, asked, signal, (event) => events.push(event));
  return events;
}
