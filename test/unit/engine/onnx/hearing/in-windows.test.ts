import { afterEach, expect, test, vi } from 'vitest';
import { delay } from '../../../../../src/core/async/delay.ts';
import { engineOf, withoutEvents, type Engine } from '../../../../../src/core/port/engine.ts';
import { serverError } from '../../../../../src/core/errors/errors.ts';
import type { JobOf } from '../../../../../src/core/operations/jobs/jobs.ts';
import type { HearingOperation } from '../../../../../src/engine/onnx/hearing/hearing-engine.ts';
import {
  ENCODER_TIMEOUT_MS,
  inWindows,
} from '../../../../../src/engine/onnx/hearing/in-windows.ts';
import { pass, type Context, type Stage } from '../../../../../src/engine/road/stage.ts';
import { WorkerPool } from '../../../../../src/engine/workers/worker-pool.ts';
import { iterated } from '../../../support/sinks.ts';
import { deliveryOf } from '../../../../../src/core/operations/delivered-answer.ts';
import { NEVER, PENDING } from '../../../support/never.ts';
import { poolParts } from '../../workers/pool-parts.ts';

const JOB: JobOf<'transcribe'> = {
  op: 'transcribe',
  model: 'a',
  audio: new Blob(['x']),
  recording: 'r',
  task: 'transcribe',
};

/** What a worker does in a window before it has heard something; what it gives are signs of life. */
type Listen = (signal: AbortSignal) => AsyncIterable<void>;

/** A host whose workers hear a word each ten seconds, for half a minute. */
function openHost(listen?: Listen) {
  const asked: JobOf<'transcribe'>['from'][] = [];
  /** The clients whose windows were read. */
  const clients: (string | undefined)[] = [];
  const worker = engineOf<HearingOperation>({
    async *transcribe({ from, client }, signal) {
      asked.push(from);
      clients.push(client);
      const start = from?.seconds ?? 0;
      for await (const _ of listen?.(signal) ?? []) {
        yield { type: 'heard', segments: [], until: start };
      }
      const segment = {
        start,
        end: start + 1,
        window: start,
        text: ` at${start}`,
        tokens: [],
        temperature: 0,
        averageLogprob: 0,
        compressionRatio: 1,
        noSpeech: 0,
      };
      yield { type: 'heard', segments: [segment], language: 'de', until: start + 10 };
      if (start === 20) yield { type: 'transcribed', seconds: 30 };
    },
    open: () => withoutEvents(() => Promise.resolve()),
  });
  const start = () => ({
    ...worker,
    ready: Promise.resolve(),
    gone: PENDING,
    end: () => undefined,
  });
  const { installer, progress, memory, loads, device } = poolParts().parts;
  const timeoutMs = ENCODER_TIMEOUT_MS;
  const parts = { installer, progress, memory, loads, device, start, timeoutMs };
  const pool = new WorkerPool<HearingOperation>(parts);
  const { installed, turn, retried, memory: held, answer } = pool;
  const road: Stage<Context<'transcribe'>>[] = [installed, inWindows, turn, retried, held, answer];
  const engine: Engine<'transcribe'> = {
    run: (job, signal, emit) => pass(road, { job, signal, emit }),
  };
  return { host: iterated(engine), asked, clients };
}

afterEach(() => vi.useRealTimers());

/** Ten seconds for each token. */
const slowly = (tokens: number, signs: boolean): Listen =>
  async function* (signal) {
    for (let token = 0; token < tokens; token++) {
      await delay(10_000, signal);
      if (signs) yield;
    }
  };

test('a recording is read window by window, each in the language of the first', async () => {
  const { host, asked } = openHost();
  const events = await Array.fromAsync(host.run(JOB, NEVER));
  expect(events.map(({ type }) => type)).toEqual(['heard', 'heard', 'heard', 'transcribed']);
  expect(asked).toEqual([
    undefined,
    { seconds: 10, language: 'de' },
    { seconds: 20, language: 'de' },
  ]);
});

test('another engine continues with the next window', async () => {
  const { host } = openHost();
  const delivery = deliveryOf<'transcribe'>(JOB);
  for await (const event of host.run(JOB, NEVER)) {
    delivery.take(event);
    break;
  }
  const events = await Array.fromAsync(host.run(delivery.restart(true), NEVER));
  expect(delivery.restart(true)).toMatchObject({ automatic: true, from: { seconds: 10 } });
  expect(events).toHaveLength(3);
});

test('a window may take half an hour while it shows life, and its signs are not passed on', async () => {
  vi.useFakeTimers();
  const { host, asked } = openHost(slowly(180, true));
  const events = Array.fromAsync(host.run(JOB, NEVER));
  await vi.advanceTimersByTimeAsync(3 * 180 * 10_000);
  expect((await events).map(({ type }) => type)).toEqual([
    'heard',
    'heard',
    'heard',
    'transcribed',
  ]);
  expect(asked).toHaveLength(3);
});

test('a window may be silent for as long as a large encoder needs, and fails after ten minutes', async () => {
  vi.useFakeTimers();
  const large = Array.fromAsync(openHost(slowly(59, false)).host.run(JOB, NEVER));
  const dead = openHost(slowly(Infinity, false)).host.run(JOB, NEVER);
  const failed = expect(Array.fromAsync(dead)).rejects.toThrow(/no output for 600 seconds/);
  // One more try is made.
  await vi.advanceTimersByTimeAsync(2 * 600_000);
  await failed;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await large).toHaveLength(4);
});

test('a window that fails after signs of life is tried once more', async () => {
  let failures = 1;
  const { host, asked } = openHost(async function* () {
    yield;
    if (failures-- > 0) throw serverError('engine_error', 'The GPU failed.');
  });
  expect(await Array.fromAsync(host.run(JOB, NEVER))).toHaveLength(4);
  expect(asked).toHaveLength(4);
});

test('the recordings of several clients take turns, window by window', async () => {
  const { host, clients } = openHost();
  const run = (client: string) =>
    Array.fromAsync(host.run({ ...JOB, recording: client, client }, NEVER));
  await Promise.all([run('ann'), run('bob')]);
  expect(clients).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
});

test('an abort between two windows ends the job: the next one is not read', async () => {
  const { host, asked } = openHost();
  const controller = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type } of host.run(JOB, controller.signal)) {
      seen.push(type);
      controller.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
  expect([seen, asked.length]).toEqual([['heard'], 1]);
});

test('an abort within a window reaches its worker, and the next job has its turn', async () => {
  const listening = Promise.withResolvers<void>();
  let isFirst = true;
  const { host, clients } = openHost(async function* (signal) {
    if (!isFirst) return;
    isFirst = false;
    yield;
    listening.resolve();
    await delay(1e9, signal);
  });
  const controller = new AbortController();
  const first = Array.fromAsync(host.run({ ...JOB, client: 'ann' }, controller.signal));
  const second = Array.fromAsync(host.run({ ...JOB, client: 'bob' }, NEVER));
  await listening.promise;
  controller.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  expect(await second).toHaveLength(4);
  expect(clients).toEqual(['ann', 'bob', 'bob', 'bob']);
});
