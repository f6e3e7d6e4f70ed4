import { afterEach, expect, test, vi } from 'vitest';
import type { Job, JobEvent, SpeakJob } from '../../../src/core/engine.ts';
import { ApiError, modelNotFound, serverError } from '../../../src/core/errors.ts';
import { ProgressBoard } from '../../../src/engine/progress-board.ts';
import { SpeechHost } from '../../../src/engine/speech/speech-host.ts';
import { reportsOf } from '../support/engine-site.ts';
import { installation, packEntry } from '../support/entries.ts';

const NEVER = new AbortController().signal;

const job = (model = 'a'): SpeakJob => ({
  ...{ op: 'speak', model, text: 'Hello.', voice: 'v', language: 'en-US', speed: 1, format: 'wav' },
});

type Run = (job: Job, signal: AbortSignal) => AsyncGenerator<JobEvent, void, undefined>;

const speaking: Run = async function* () {
  yield { type: 'audio', bytes: new Uint8Array([0]) };
  yield { type: 'audio', bytes: new Uint8Array([1]) };
};

/** A host whose workers do what `run` says, and a list of what became of them. */
function openHost(run: Run, idleMs = 60_000) {
  const log: string[] = [];
  const progress = new ProgressBoard();
  const library = {
    require: (id: string, _signal: AbortSignal, autoInstall = false) =>
      id === 'unknown' || (id === 'wanted' && !autoInstall)
        ? Promise.reject(modelNotFound(id))
        : Promise.resolve({ entry: packEntry(id), installation: installation('r1') }),
    touch: () => Promise.resolve(),
    remove: (id: string) => Promise.resolve(void log.push(`remove ${id}`)),
  };
  const start = () => {
    log.push('start');
    return { run, end: () => void log.push('end') };
  };
  return { host: new SpeechHost({ library, progress, start, idleMs }), progress, log };
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
  const { host } = openHost(async function* ({ op }) {
    order.push(`${op} begins`);
    await Promise.resolve();
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    order.push(`${op} ends`);
  });
  await Promise.all([
    typesOf(host.run(job(), NEVER)),
    typesOf(host.run({ op: 'load', model: 'a' }, NEVER)),
  ]);
  expect(order).toEqual(['speak begins', 'speak ends', 'load begins', 'load ends']);
});

test('a job that is cancelled while it waits never reaches the worker; one that runs frees its place', async () => {
  const seen: string[] = [];
  const { host, log } = openHost(async function* ({ op }, signal) {
    seen.push(op);
    yield { type: 'audio', bytes: new Uint8Array([0]) };
    if (op === 'load') return;
    signal.throwIfAborted();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = host.run(job(), first.signal);
  await running.next();
  const waiting = typesOf(host.run(job(), second.signal));
  const last = typesOf(host.run({ op: 'load', model: 'a' }, NEVER));
  second.abort(new Error('changed my mind'));
  await expect(waiting).rejects.toThrow('changed my mind');
  first.abort(new Error('enough'));
  await expect(running.next()).rejects.toThrow('enough');
  await last;
  expect(seen).toEqual(['speak', 'load']);
  // A cancelled job is no failure: the worker stays.
  expect(log).toEqual(['start']);
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
