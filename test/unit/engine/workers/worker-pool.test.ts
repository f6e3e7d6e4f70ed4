import { afterEach, expect, test, vi } from 'vitest';
import { pass } from '../../../../src/engine/road/stage.ts';
import { ApiError, serverError } from '../../../../src/core/errors/errors.ts';
import { IDLE_MS } from '../../../../src/engine/workers/idle-timers.ts';
import { reportsOf, stageOf } from '../../support/servers/engine-site.ts';
import { openPool, speakJob, speakTwice, type Speak } from './pool-parts.ts';
import { NEVER } from '../../support/never.ts';

afterEach(() => vi.useRealTimers());

test('the first request starts the worker, the next ones use it', async () => {
  const { typesOf, log } = openPool();
  expect(await typesOf(speakJob())).toEqual(['audio', 'audio']);
  await typesOf(speakJob());
  expect(log).toEqual(['start']);
});

test('reports once that a model is loaded', async () => {
  const { typesOf, progress } = openPool();
  const reports = await reportsOf(progress, async () => {
    await typesOf(speakJob());
    await typesOf(speakJob());
  });
  expect(reports.map(({ stage }) => stage)).toEqual(['load', 'ready']);
});

test('waits for a download only if the request says so', async () => {
  const { typesOf } = openPool();
  await expect(typesOf(speakJob('wanted'))).rejects.toThrow(ApiError);
  const events = await typesOf({ ...speakJob('wanted'), autoInstall: true });
  expect(events).toEqual(['audio', 'audio']);
});

test('two requests take turns', async () => {
  const order: string[] = [];
  const { typesOf } = openPool({
    speak: async function* ({ text }) {
      order.push(`${text} begins`);
      await Promise.resolve();
      yield { type: 'audio', bytes: new Uint8Array([0]) };
      order.push(`${text} ends`);
    },
  });
  await Promise.all(['1', '2'].map((text) => typesOf(speakJob('a', text))));
  expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});

test('a request that is cancelled while it waits never reaches the worker', async () => {
  const seen: string[] = [];
  const { run, typesOf, log } = openPool({
    speak: async function* ({ text }, signal) {
      seen.push(text);
      yield { type: 'audio', bytes: new Uint8Array([0]) };
      if (text === '3') return;
      signal.throwIfAborted();
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = run(speakJob('a', '1'), first.signal);
  await running.next();
  const waiting = typesOf(speakJob('a', '2'), second.signal);
  const last = typesOf(speakJob('a', '3'));
  second.abort(new Error('changed my mind'));
  await expect(waiting).rejects.toThrow('changed my mind');
  first.abort(new Error('enough'));
  await expect(running.next()).rejects.toThrow('enough');
  await last;
  expect(seen).toEqual(['1', '3']);
  // A cancelled request is not a failure, so the worker stays.
  expect(log).toEqual(['start']);
});

test('a model that cannot be loaded has failed, and the next request gets a new worker', async () => {
  let failures = 2;
  const load = () =>
    failures-- > 0 ? Promise.reject(serverError('engine_error', 'damaged')) : Promise.resolve();
  const { typesOf, log, progress } = openPool({ load });
  const reports = await reportsOf(progress, async () => {
    await expect(typesOf(speakJob())).rejects.toThrow('damaged');
  });
  expect(reports.map(({ stage }) => stage)).toEqual(['load', 'failed', 'load', 'failed']);
  await typesOf(speakJob());
  expect(log).toEqual(['start', 'end', 'start', 'end', 'start']);
});

test('a request whose worker fails before the first event is retried with a new worker', async () => {
  let failures = 1;
  const { typesOf, log } = openPool({
    speak: async function* () {
      if (failures-- > 0) throw serverError('engine_error', 'damaged');
      yield { type: 'audio', bytes: new Uint8Array([0]) };
    },
  });
  expect(await typesOf(speakJob())).toEqual(['audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test('a request whose worker fails after the first event fails', async () => {
  const { typesOf, log } = openPool({
    speak: async function* () {
      yield { type: 'audio', bytes: new Uint8Array([0]) };
      throw serverError('engine_error', 'crashed');
    },
  });
  await expect(typesOf(speakJob())).rejects.toThrow('crashed');
  expect(log).toEqual(['start', 'end']);
});

test('if memory does not suffice for a model, the others are unloaded and it is loaded again', async () => {
  let loads = 0;
  const load = () =>
    ++loads === 2 ? Promise.reject(serverError('out_of_memory', 'full')) : Promise.resolve();
  const { typesOf, log, progress } = openPool({ load });
  await typesOf(speakJob('a'));
  const reports = await reportsOf(progress, () => typesOf(speakJob('b')));
  const stages = reports.map(({ model, stage }) => `${model} ${stage}`);
  expect(stages).toEqual(['a ready', 'b load', 'a unloaded', 'b load', 'b ready']);
  expect(log).toEqual(['start', 'start', 'end', 'end', 'start']);
});

test('each model has a worker, and the least recently used one ends when room is needed', async () => {
  const { typesOf, log, progress } = openPool();
  for (const model of ['a', 'b', 'a', 'b', 'a', 'c']) await typesOf(speakJob(model));
  expect(log).toEqual(['start', 'start', 'end', 'start']);
  const stages = ['a', 'b', 'c'].map((model) => stageOf(progress, model));
  expect(stages).toEqual(['ready', 'unloaded', 'ready']);
});

test('a failure replaces the worker, an error in the request does not', async () => {
  const failures = [
    new ApiError({ status: 400, type: 't', code: null, param: 'input', message: 'nothing to say' }),
    serverError('out_of_memory', 'too large'),
  ];
  const { typesOf, log, progress } = openPool({
    speak: async function* () {
      const failure = failures.shift();
      if (failure) throw failure;
      yield { type: 'audio', bytes: new Uint8Array([0]) };
    },
  });
  await expect(typesOf(speakJob())).rejects.toThrow('nothing to say');
  expect(log).toEqual(['start']);
  const reports = await reportsOf(progress, async () => {
    await expect(typesOf(speakJob())).rejects.toThrow('too large');
  });
  expect(reports.at(-1)).toMatchObject({ stage: 'failed', text: 'too large' });
  expect(await typesOf(speakJob())).toEqual(['audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test('a worker without output for two minutes is replaced', async () => {
  vi.useFakeTimers();
  const { typesOf, log } = openPool({
    speak: async function* () {
      yield { type: 'audio', bytes: new Uint8Array([0]) };
      await new Promise(() => undefined);
    },
  });
  const failed = expect(typesOf(speakJob())).rejects.toThrow(/no output for 120 seconds/);
  await vi.advanceTimersByTimeAsync(120_000);
  await failed;
  expect(log).toEqual(['start', 'end']);
});

test('an idle worker ends and is started again when it is needed', async () => {
  vi.useFakeTimers();
  const { typesOf, log, progress } = openPool({ unloadAfterMs: 1_000 });
  await typesOf(speakJob());
  const reports = await reportsOf(progress, () => vi.advanceTimersByTimeAsync(1_000));
  expect(reports.at(-1)).toMatchObject({ stage: 'unloaded' });
  await typesOf(speakJob());
  expect(log).toEqual(['start', 'end', 'start']);
});

test('an idle worker whose memory has grown is replaced; one that has not is kept', async () => {
  vi.useFakeTimers();
  let megabytes = 200;
  const heap = () => megabytes * 1024 ** 2;
  const { typesOf, log, progress } = openPool({ heap });
  await typesOf(speakJob());
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(log).toEqual(['start']);
  megabytes = 249;
  await typesOf(speakJob());
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(log).toEqual(['start']);
  megabytes = 251;
  await typesOf(speakJob());
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  // Not idle yet.
  await typesOf(speakJob());
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(log).toEqual(['start']);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(['start', 'end', 'start']);
  expect(stageOf(progress, 'a')).toBe('ready');
});

test('unloading a model leaves the others', async () => {
  const { pool, log } = openPool();
  await pass(pool.loading, { job: { model: 'a' }, signal: NEVER, emit: () => undefined });
  await pool.unload('b', NEVER);
  expect(log).toEqual(['start']);
  await pool.unload('a', NEVER);
  expect(log).toEqual(['start', 'end']);
});

test('a model whose load has ended the tab starts no worker', async () => {
  const crashed = serverError('load_crashed', 'Loading it has ended the tab.');
  const check = vi.fn(() => Promise.reject(crashed));
  const { typesOf, log } = openPool({ check });
  await expect(typesOf({ ...speakJob(), automatic: true })).rejects.toBe(crashed);
  expect(check).toHaveBeenCalledWith(
    expect.objectContaining({ entry: expect.objectContaining({ id: 'a' }) }),
    expect.objectContaining({ automatic: true }),
  );
  expect(log).toEqual([]);
});

test('a model that does not exist starts no worker', async () => {
  const { typesOf, log } = openPool();
  await expect(typesOf(speakJob('unknown'))).rejects.toThrow(/does not exist/);
  expect(log).toEqual([]);
});

for (const code of ['engine_error', 'out_of_memory'] as const) {
  for (const failing of ['load', 'speak']) {
    test(`a model that fails on the GPU (${failing}: ${code}) runs on the CPU from then on`, async () => {
      let fails = true;
      const failOnce = () => {
        if (!fails) return Promise.resolve();
        fails = false;
        return Promise.reject(serverError(code, 'The GPU failed.'));
      };
      const speak: Speak = async function* (job, signal) {
        if (failing === 'speak') await failOnce();
        yield* speakTwice(job, signal);
      };
      const load = () => (failing === 'load' ? failOnce() : Promise.resolve());
      const { pool, typesOf, log } = openPool({ speak, load, device: 'webgpu' });
      expect(await typesOf(speakJob())).toEqual(['audio', 'audio']);
      expect(log).toEqual(['start on webgpu', 'end', 'start']);
      await pool.unload('a', NEVER);
      await typesOf(speakJob());
      // Other models still try the GPU.
      await typesOf(speakJob('b'));
      expect(log.slice(3)).toEqual(['end', 'start', 'start on webgpu']);
    });
  }
}

test('a variant for GPUs that fails on the CPU, too, is noted, and the GPU gets another chance with the next', async () => {
  let failures = 2;
  const { typesOf, log } = openPool({
    device: 'webgpu',
    needs: { shaderF16: true },
    speak: async function* (job, signal) {
      if (failures-- > 0) throw serverError('engine_error', 'not a number');
      yield* speakTwice(job, signal);
    },
  });
  await expect(typesOf(speakJob())).rejects.toThrow('not a number');
  expect(log).toEqual(['start on webgpu', 'end', 'start', 'end', 'a is unusable']);
  await typesOf(speakJob());
  expect(log.slice(5)).toEqual(['start on webgpu']);
});

test('a variant for GPUs that runs on the CPU after a failure stays there', async () => {
  let failures = 1;
  const { typesOf, log } = openPool({
    device: 'webgpu',
    needs: { shaderF16: true },
    load: () =>
      failures-- > 0 ? Promise.reject(serverError('engine_error', 'no GPU')) : Promise.resolve(),
  });
  await typesOf(speakJob());
  await typesOf(speakJob());
  expect(log).toEqual(['start on webgpu', 'end', 'start']);
});
