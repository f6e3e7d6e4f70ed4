import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GenerateEvent } from '../../../../../src/core/operations/events/events.ts';
import { ModelFileError } from '../../../../../src/engine/download/hub/model-file-error.ts';
import { chatJob } from '../../../support/servers/engine-site.ts';
import { FakeModelWorker, LOADED, WAIT } from '../../../support/fakes/fake-model-worker.ts';
import {
  FILES,
  generate,
  last,
  open,
  request,
  workers,
} from '../../../support/models/llamacpp-models.ts';
import { NEVER } from '../../../support/never.ts';

beforeEach(() => FakeModelWorker.reset());

describe('a model is loaded', () => {
  test('in a worker of its own, from all parts of its file', async () => {
    const progress: [number, string][] = [];
    await open({ onProgress: (...report) => progress.push(report) });
    expect(last().url).toBe('http://site/llamacpp.js');
    expect(last().loaded?.parts.map(({ name }) => name)).toEqual([
      'm-00001-of-00002.gguf',
      'm-00002-of-00002.gguf',
    ]);
    expect(last().loaded).toMatchObject({ contextLength: 64, threads: 3 });
    expect(progress).toEqual([[0.5, 'Loading weights']]);
  });

  test('with its KV cache, also in a worker that takes the place of one that ended', async () => {
    const { installed } = request({});
    const model = await open({ installed: { ...installed, kvCacheType: 'q8_0' } });
    last().terminate();
    await vi.waitFor(() => expect(model.model.isWarm('')).toBe(false));
    await generate(model);
    expect(workers().map(({ loaded }) => loaded?.kvCacheType)).toEqual(['q8_0', 'q8_0']);
  });

  test('with the template and the sampling defaults of its file', async () => {
    const model = await open();
    const events: GenerateEvent[] = [];
    await model.generate(chatJob('a', 'Hello'), NEVER, (event) => events.push(event));
    expect(last().requests[0]).toMatchObject({
      prompt: 'Hello',
      generation: { sampling: { temperature: 1, topK: 40 } },
    });
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  test('with the sampling defaults of its variant rather than those of its file', async () => {
    const model = await open({}, { temperature: 0.5 });
    await model.generate(chatJob('a', 'Hello'), NEVER, () => undefined);
    expect(last().requests[0]?.generation.sampling).toEqual({ temperature: 0.5, topK: 40 });
  });

  test('with ChatML if its file has no template', async () => {
    const tokenizer = { ...LOADED.tokenizer, chatTemplate: undefined };
    FakeModelWorker.load = () => ({ ...LOADED, tokenizer });
    const model = await open();
    await model.generate(chatJob('a', 'Hello'), NEVER, () => undefined);
    expect(last().requests[0]?.prompt).toBe(
      '<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  test('again if the file turned out to be damaged, and the first worker ends', async () => {
    await open({
      withFiles: async (load) => {
        await load((path) => Promise.resolve(FILES.get(path)));
        return load((path) => Promise.resolve(FILES.get(path)));
      },
    });
    expect(workers().map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  });
});

describe('a load fails', () => {
  test('if a part of the file is missing', async () => {
    const opening = open({ withFiles: (load) => load(() => Promise.resolve(undefined)) });
    await expect(opening).rejects.toThrow(ModelFileError);
    expect(workers()).toEqual([]);
  });

  test('with the words of llama.cpp if the file is wrong', async () => {
    FakeModelWorker.load = () => ({ kind: 'file', message: 'Its tokenizer is unknown.' });
    const error = await open().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFileError);
    expect(error).toMatchObject({ fault: 'its file cannot be used: Its tokenizer is unknown' });
    expect(last().isTerminated).toBe(true);
  });

  test('if its chat template cannot be parsed', async () => {
    const tokenizer = { ...LOADED.tokenizer, chatTemplate: '{% endfor %}' };
    FakeModelWorker.load = () => ({ ...LOADED, tokenizer });
    await expect(open()).rejects.toThrow(ModelFileError);
    expect(last().isTerminated).toBe(true);
  });

  test('with out_of_memory', async () => {
    FakeModelWorker.load = () => ({ kind: 'memory', message: 'No.' });
    await expect(open()).rejects.toMatchObject({ data: { code: 'out_of_memory' } });
  });

  test('if nobody waits for it any more', async () => {
    FakeModelWorker.load = () => WAIT;
    const givenUp = new AbortController();
    const failed = expect(open({ givenUp: givenUp.signal })).rejects.toThrow('no progress');
    await vi.waitFor(() => expect(workers()).toHaveLength(1));
    givenUp.abort(new Error('no progress'));
    await failed;
    expect(last().isTerminated).toBe(true);
  });
});
