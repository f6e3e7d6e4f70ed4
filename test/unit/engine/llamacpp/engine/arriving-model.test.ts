import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chatJob } from '../../../support/servers/engine-site.ts';
import { FakeModelWorker, LOADED } from '../../../support/fakes/fake-model-worker.ts';
import {
  backend,
  FILES,
  generate,
  last,
  request,
  workers,
} from '../../../support/models/llamacpp-models.ts';

beforeEach(() => FakeModelWorker.reset());

const [FIRST = '', SECOND = ''] = FILES.keys();
const bytes = (text: string) => [new TextEncoder().encode(text)];

/** What is asked for, with the loads from stored files counted. */
function asked(changes: Parameters<typeof request>[0] = {}) {
  const fromStore = vi.fn<(path: string) => Promise<Blob | undefined>>(async (path) =>
    FILES.get(path),
  );
  return { fromStore, request: request({ withFiles: (load) => load(fromStore), ...changes }) };
}

/** Like `asked`, for a model of one file that the GPU computes. */
function askedOnGpu(changes: Parameters<typeof request>[0] = {}) {
  const { fromStore, request: load } = asked(changes);
  const { installed } = load;
  const variant = { ...installed.variant, parts: [FIRST] };
  return {
    fromStore,
    load: { ...load, installed: { ...installed, variant, runsOn: 'webgpu' as const } },
  };
}

test('a model is put into its worker while it is downloaded, and the store is not read', async () => {
  const [llamacpp, { fromStore, request: load }] = [backend(), asked()];
  const receiver = llamacpp.receive(load.installed);
  expect(last().loaded?.parts).toEqual([
    { name: 'm-00001-of-00002.gguf', size: 3 },
    { name: 'm-00002-of-00002.gguf', size: 3 },
  ]);
  await receiver?.take(SECOND, bytes('tw'));
  await receiver?.take(FIRST, bytes('one'));
  await receiver?.take(SECOND, bytes('o'));
  const model = await llamacpp.load(load);
  expect((await generate(model)).text).toBe('one two three');
  expect(workers()).toHaveLength(1);
  expect(last().filled.map(([part]) => part)).toEqual([1, 0, 1]);
  expect(fromStore).not.toHaveBeenCalled();
});

test('memory that the worker has emptied is given back, once', async () => {
  const receiver = backend().receive(asked().request.installed);
  const first = bytes('o');
  expect(await receiver?.take(FIRST, first)).toBeUndefined();
  // The fake worker answers in the next turn.
  await new Promise((resolve) => setTimeout(resolve));
  expect(await receiver?.take(FIRST, bytes('n'))).toBe(first[0]?.buffer);
  expect(await receiver?.take(SECOND, bytes('t'))).toBeUndefined();
});

test('a file of the download that is no part of the model is left out', async () => {
  const [llamacpp, { request: load }] = [backend(), asked()];
  await llamacpp.receive(load.installed)?.take('README.md', bytes('Hello'));
  expect(last().filled).toEqual([]);
});

test.each([
  ['it has not arrived whole', { isWhole: false }],
  ['it was given up', { isGivenUp: true }],
  ['it is loaded with another context', { contextLength: 32 }],
  ['it is loaded with another KV cache', { kvCacheType: 'q8_0' }],
])('a model is loaded from the store if %s', async (_, state) => {
  const {
    isWhole = true,
    isGivenUp = false,
    ...changed
  } = state as Partial<{
    isWhole: boolean;
    isGivenUp: boolean;
    contextLength: number;
    kvCacheType: 'q8_0';
  }>;
  const [llamacpp, { fromStore, request: load }] = [backend(), asked()];
  const receiver = llamacpp.receive(load.installed);
  await receiver?.take(FIRST, bytes('one'));
  if (isWhole) await receiver?.take(SECOND, bytes('two'));
  if (isGivenUp) receiver?.giveUp();
  await llamacpp.load({ ...load, installed: { ...load.installed, ...changed } });
  expect(workers().map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  expect(fromStore).toHaveBeenCalledTimes(2);
});

test('if the worker of a model that was put together ends, another one reads the store', async () => {
  const [llamacpp, { fromStore, request: load }] = [backend(), asked()];
  const receiver = llamacpp.receive(load.installed);
  await receiver?.take(FIRST, bytes('one'));
  await receiver?.take(SECOND, bytes('two'));
  const model = await llamacpp.load(load);
  const lost = last();
  lost.terminate();
  await vi.waitFor(() => expect(model.model.isWarm('')).toBe(false));
  expect((await generate(model)).text).toBe('one two three');
  expect(fromStore).toHaveBeenCalledTimes(2);
});

test('files of unknown size are not received', () => {
  const { installed } = asked().request;
  const files = installed.installation.files.map((file) => ({ ...file, size: 0 }));
  const unknown = { ...installed, installation: { ...installed.installation, files } };
  expect(backend().receive(unknown)).toBeUndefined();
});

test('the worker learns the prompt that it will probably be asked, when the headers are there', async () => {
  const receiver = backend().receive(asked().request.installed);
  receiver?.expect(chatJob('a', 'Once'));
  expect(last().expected).toEqual([]);
  await receiver?.take(FIRST, bytes('one'));
  await vi.waitFor(() => expect(last().expected).toEqual(['Once']));
});

test('a prompt that is wrong is not expected: its job says so later', async () => {
  const receiver = backend().receive(asked().request.installed);
  FakeModelWorker.load = () => ({
    ...LOADED,
    tokenizer: { ...LOADED.tokenizer, chatTemplate: '{{ raise_exception("No.") }}' },
  });
  receiver?.expect(chatJob('a', 'Once'));
  await receiver?.take(FIRST, bytes('one'));
  receiver?.expect({ ...chatJob('a'), prompt: { kind: 'raw', text: 'Twice' } });
  await vi.waitFor(() => expect(last().expected).toEqual(['Twice']));
});

describe('on a GPU', () => {
  test('a model of one file goes to the GPU while it is downloaded', async () => {
    const [llamacpp, { fromStore, load }] = [backend(), askedOnGpu()];
    await llamacpp.receive(load.installed)?.take(FIRST, bytes('one'));
    expect((await generate(await llamacpp.load(load))).text).toBe('one two three');
    expect(workers().map(({ loaded }) => loaded?.onGpu)).toEqual([{ base: 'http://site/' }]);
    expect(fromStore).not.toHaveBeenCalled();
  });

  test('a model of several files is not received', () => {
    const { installed } = asked().request;
    expect(backend().receive({ ...installed, runsOn: 'webgpu' })).toBeUndefined();
  });

  test('a model that arrived for the GPU is not used on the CPU', async () => {
    const [llamacpp, { load }] = [backend(), askedOnGpu()];
    await llamacpp.receive(load.installed)?.take(FIRST, bytes('one'));
    await llamacpp.load({ ...load, installed: { ...load.installed, runsOn: 'wasm' } });
    expect(workers().map(({ loaded, isTerminated }) => [loaded?.onGpu, isTerminated])).toEqual([
      [{ base: 'http://site/' }, true],
      [undefined, false],
    ]);
  });

  test.each([
    ['during the download', true],
    ['at its end', false],
  ])('if the GPU fails %s, the failure counts once, and the store is read', async (_, isBefore) => {
    FakeModelWorker.load = ({ onGpu }) =>
      onGpu ? { kind: 'gpu', message: 'wrong products', fault: 'final' } : LOADED;
    const onGpuFailure = vi.fn(() => Promise.resolve(true));
    const [llamacpp, { load }] = [backend(), askedOnGpu({ onGpuFailure })];
    await llamacpp.receive(load.installed)?.take(FIRST, bytes('one'));
    if (isBefore) await vi.waitFor(() => expect(last().isTerminated).toBe(true));
    const model = await llamacpp.load(load);
    expect((await generate(model)).text).toBe('one two three');
    expect(onGpuFailure.mock.calls).toEqual([['wrong products', 'final']]);
    expect(workers().map(({ loaded }) => loaded?.onGpu)).toEqual([
      { base: 'http://site/' },
      undefined,
    ]);
  });
});
