import { afterEach, expect, test, vi } from 'vitest';
import type { Job, JobEvent, SpeakJob } from '../../../../../src/core/protocol/engine.ts';
import { ApiError, modelNotFound, serverError } from '../../../../../src/core/protocol/errors.ts';
import type { SpeechDevice } from '../../../../../src/core/protocol/messages.ts';
import { ModelMemory } from '../../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { SpeechHost } from '../../../../../src/engine/onnx/speech/speech-host.ts';
import { reportsOf, stageOf } from '../../../support/engine-site.ts';
import { installation, packEntry } from '../../../support/entries.ts';

const NEVER = new AbortController().signal;

const job = (model = 'a', text = 'Hello.'): SpeakJob => ({
  ...{ op: 'speak', model, text, voice: 'v', language: 'en-US', speed: 1, format: 'wav' },
});

type Run = (job: SpeakJob, signal: AbortSignal) => AsyncGenerator<JobEvent, void, undefined>;

const speaking: Run = async function* () {
  yield { type: 'audio', bytes: new Uint8Array([0]) };
  yield { type: 'audio', bytes: new Uint8Array([1]) };
};

/** Bytes of each model; the host has room for two. */
const SIZE = 100;

/**
 * A host whose workers speak as `speak` says once they have loaded, which they do as `load` says, and a
 * list of what became of them.
 */
function openHost(
  speak: Run,
  unloadAfterMs = Infinity,
  load = () => Promise.resolve(),
  preferred: SpeechDevice = 'wasm',
) {
  const log: string[] = [];
  const progress = new ProgressBoard();
  const library = {
    require: (id: string, _signal: AbortSignal, autoInstall = false) =>
      id === 'unknown' || (id === 'wanted' && !autoInstall)
        ? Promise.reject(modelNotFound(id))
        : Promise.resolve({
            entry: packEntry(id, 'r1', { gpuBytes: SIZE }),
            installation: installation('r1'),
          }),
    touch: () => Promise.resolve(),
    remove: (id: string) => Promise.resolve(void log.push(`remove ${id}`)),
  };
  const start = (device: SpeechDevice) => {
    log.push(device === 'wasm' ? 'start' : `start on ${device}`);
    async function* run(asked: Job, signal: AbortSignal) {
      if (asked.op === 'speak') yield* speak(asked, signal);
      else await load();
    }
    return { run, end: () => void log.push('end') };
  };
  const memory = new ModelMemory({ budget: () => Promise.resolve(2 * SIZE), unloadAfterMs });
  const device = () => Promise.resolve(preferred);
  return { host: new SpeechHost({ library, progress, memory, device, start }), progress, log };
}

async function typesOf(events: AsyncIterable<JobEvent>): Promise<string[]> {
  return (await Array.fromAsync(events)).map(({ type }) => type);
}

afterEach(() => vi.useRealTimers());

test('the first job starts the worker, the next ones use it', async () => {
  const { host, log } = openHost(speaking);
  expect(await typesOf(host.run(job(), NEVER))).toEqual(['audio', 'audio']);
  await typesOf(host.run(job(), NEVER));
  expect(log).toEqual(['start']);
});

test('tells how far the model is, once', async () => {
  const { host, progress } = openHost(speaking);
  const reports = await reportsOf(progress, async () => {
    await typesOf(host.run(job(), NEVER));
    await typesOf(host.run(job(), NEVER));
  });
  expect(reports.map(({ stage }) => stage)).toEqual(['load', 'ready']);
});

test('waits for a download where the job says so, and only there', async () => {
  const { host } = openHost(speaking);
  await expect(typesOf(host.run(job('wanted'), NEVER))).rejects.toThrow(ApiError);
  const waiting = host.run({ ...job('wanted'), autoInstall: true }, NEVER);
  expect(await typesOf(waiting)).toEqual(['audio', 'audio']);
});

test('two jobs at once take turns', async () => {
  const order: string[] = [];
  const { host } = openHost(async function* ({ text }) {
    order.push(`${text} begins`);
    await Promise.resolve();
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    order.push(`${text} ends`);
  });
  await Promise.all(['1', '2'].map((text) => typesOf(host.run(job('a', text), NEVER))));
  expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});

test('a job that is cancelled while it waits never reaches the worker; one that runs frees its place', async () => {
  const seen: string[] = [];
  const { host, log } = openHost(async function* ({ text }, signal) {
    seen.push(text);
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    if (text === '3') return;
    signal.throwIfAborted();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = host.run(job('a', '1'), first.signal);
  await running.next();
  const waiting = typesOf(host.run(job('a', '2'), second.signal));
  const last = typesOf(host.run(job('a', '3'), NEVER));
  second.abort(new Error('changed my mind'));
  await expect(waiting).rejects.toThrow('changed my mind');
  first.abort(new Error('enough'));
  await expect(running.next()).rejects.toThrow('enough');
  await last;
  expect(seen).toEqual(['1', '3']);
  // A cancelled job is no failure: the worker stays.
  expect(log).toEqual(['start']);
});

test('a model that cannot be loaded has failed, and the next job gets a new worker', async () => {
  let failures = 2;
  const load = () =>
    failures-- > 0 ? Promise.reject(serverError('engine_error', 'damaged')) : Promise.resolve();
  const { host, log, progress } = openHost(speaking, Infinity, load);
  const reports = await reportsOf(progress, async () => {
    await expect(typesOf(host.run(job(), NEVER))).rejects.toThrow('damaged');
  });
  expect(reports.map(({ stage }) => stage)).toEqual(['load', 'failed', 'load', 'failed']);
  await typesOf(host.run(job(), NEVER));
  expect(log).toEqual(['start', 'end', 'start', 'end', 'start']);
});

test('a job whose worker breaks before anything was sent is tried once more, with another', async () => {
  let failures = 1;
  const { host, log } = openHost(async function* () {
    if (failures-- > 0) throw serverError('engine_error', 'damaged');
    yield { type: 'audio', bytes: new Uint8Array([0]) };
  });
  expect(await typesOf(host.run(job(), NEVER))).toEqual(['audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test('and fails where something was', async () => {
  const { host, log } = openHost(async function* () {
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    throw serverError('engine_error', 'crashed');
  });
  await expect(typesOf(host.run(job(), NEVER))).rejects.toThrow('crashed');
  expect(log).toEqual(['start', 'end']);
});

test('a model for which the memory does not suffice is tried again alone', async () => {
  let loads = 0;
  const { host, log, progress } = openHost(speaking, Infinity, () =>
    ++loads === 2 ? Promise.reject(serverError('out_of_memory', 'full')) : Promise.resolve(),
  );
  await typesOf(host.run(job('a'), NEVER));
  const reports = await reportsOf(progress, () => typesOf(host.run(job('b'), NEVER)));
  const stages = reports.map(({ model, stage }) => `${model} ${stage}`);
  expect(stages).toEqual(['a ready', 'b load', 'a unloaded', 'b load', 'b ready']);
  expect(log).toEqual(['start', 'start', 'end', 'end', 'start']);
});

test('each model has a worker; one that does not fit ends that which was not used for longest', async () => {
  const { host, log, progress } = openHost(speaking);
  for (const model of ['a', 'b', 'a', 'b', 'a', 'c']) await typesOf(host.run(job(model), NEVER));
  expect(log).toEqual(['start', 'start', 'end', 'start']);
  const stages = ['a', 'b', 'c'].map((model) => stageOf(progress, model));
  expect(stages).toEqual(['ready', 'unloaded', 'ready']);
});

test('after a failure the next job gets a new worker; one of the request does no harm', async () => {
  const failures = [
    new ApiError({ status: 400, type: 't', code: null, param: 'input', message: 'nothing to say' }),
    serverError('out_of_memory', 'too large'),
  ];
  const { host, log, progress } = openHost(async function* () {
    const failure = failures.shift();
    if (failure) throw failure;
    yield { type: 'audio', bytes: new Uint8Array([0]) };
  });
  await expect(typesOf(host.run(job(), NEVER))).rejects.toThrow('nothing to say');
  expect(log).toEqual(['start']);
  const reports = await reportsOf(progress, async () => {
    await expect(typesOf(host.run(job(), NEVER))).rejects.toThrow('too large');
  });
  expect(reports.at(-1)).toMatchObject({ stage: 'failed', text: 'too large' });
  expect(await typesOf(host.run(job(), NEVER))).toEqual(['audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test('a worker that says nothing for two minutes is replaced', async () => {
  vi.useFakeTimers();
  const { host, log } = openHost(async function* () {
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    await new Promise(() => undefined);
  });
  const failed = expect(typesOf(host.run(job(), NEVER))).rejects.toThrow(
    /no output for 120 seconds/,
  );
  await vi.advanceTimersByTimeAsync(120_000);
  await failed;
  expect(log).toEqual(['start', 'end']);
});

test('a worker without work ends and is started again when it is needed', async () => {
  vi.useFakeTimers();
  const { host, log, progress } = openHost(speaking, 1_000);
  await typesOf(host.run(job(), NEVER));
  const reports = await reportsOf(progress, () => vi.advanceTimersByTimeAsync(1_000));
  expect(reports.at(-1)).toMatchObject({ stage: 'unloaded' });
  await typesOf(host.run(job(), NEVER));
  expect(log).toEqual(['start', 'end', 'start']);
});

test('a model is unloaded and removed; another one stays', async () => {
  const { host, log } = openHost(speaking);
  await typesOf(host.run({ op: 'load', model: 'a' }, NEVER));
  await typesOf(host.run({ op: 'unload', model: 'b' }, NEVER));
  expect(log).toEqual(['start']);
  await typesOf(host.run({ op: 'unload', model: 'a' }, NEVER));
  await typesOf(host.run({ op: 'remove', model: 'a' }, NEVER));
  expect(log).toEqual(['start', 'end', 'remove a']);
});

test('a model that is not there needs no worker', async () => {
  const { host, log } = openHost(speaking);
  await expect(typesOf(host.run(job('unknown'), NEVER))).rejects.toThrow(/does not exist/);
  expect(log).toEqual([]);
});

for (const code of ['engine_error', 'out_of_memory'] as const) {
  for (const failing of ['load', 'speak']) {
    test(`a model that fails on the GPU (${failing}: ${code}) goes on on the CPU, and stays there`, async () => {
      let fails = true;
      const failOnce = () => {
        if (!fails) return Promise.resolve();
        fails = false;
        return Promise.reject(serverError(code, 'The GPU would not.'));
      };
      const speak: Run = async function* (asked, signal) {
        if (failing === 'speak') await failOnce();
        yield* speaking(asked, signal);
      };
      const load = () => (failing === 'load' ? failOnce() : Promise.resolve());
      const { host, log } = openHost(speak, Infinity, load, 'webgpu');
      expect(await typesOf(host.run(job(), NEVER))).toEqual(['audio', 'audio']);
      expect(log).toEqual(['start on webgpu', 'end', 'start']);
      await typesOf(host.run({ op: 'unload', model: 'a' }, NEVER));
      await typesOf(host.run(job(), NEVER));
      // Another model may do better.
      await typesOf(host.run(job('b'), NEVER));
      expect(log.slice(3)).toEqual(['end', 'start', 'start on webgpu']);
    });
  }
}
