import { engineOf, withoutEvents } from '../../../../src/core/port/engine.ts';
import { modelNotFound } from '../../../../src/core/errors/errors.ts';
import type { SpeakEvent } from '../../../../src/core/operations/events/events.ts';
import type { SpeakJob } from '../../../../src/core/operations/jobs/jobs.ts';
import type { ComputeDevice } from '../../../../src/core/realms/device-report.ts';
import type { SpeechOperation } from '../../../../src/engine/onnx/speech/speech-engine.ts';
import { pass, type Context, type Stage } from '../../../../src/engine/road/stage.ts';
import { WorkerPool, type PoolParts } from '../../../../src/engine/workers/worker-pool.ts';
import { NEVER } from '../../support/never.ts';
import { eventsOf } from '../../support/sinks.ts';
import type { Needs } from '../../../../src/core/catalog/variant.ts';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { hubVariant, installation, packEntry } from '../../support/entries.ts';

/** Bytes of each model. There is room for two. */
const SIZE = 100;

const SPEECH = {
  family: 'vits' as const,
  voices: [{ id: 'v', name: 'V', languages: ['en-US'] }],
  sampleRate: 16_000,
};

/** How a worker answers a job. */
export type Speak = (
  job: SpeakJob,
  signal: AbortSignal,
) => AsyncGenerator<SpeakEvent, void, undefined>;

export const speakTwice: Speak = async function* () {
  yield { type: 'audio', bytes: new Uint8Array([0]) };
  yield { type: 'audio', bytes: new Uint8Array([1]) };
};

interface Options {
  speak?: Speak;
  /** Loads a model into a worker. */
  load?: () => Promise<void>;
  /** Resolves when a worker has started. */
  ready?: () => Promise<void>;
  /** Finishes the work with the database before a worker is ended. */
  close?: () => Promise<void>;
  /** The size of a worker's memory, bytes. */
  heap?: () => number;
  unloadAfterMs?: number;
  device?: ComputeDevice;
  /** Whether a model may be loaded, as the log of loads says it. */
  check?: PoolParts<SpeechOperation>['loads']['check'];
  /** Needs of the models' variant. */
  needs?: Needs;
}

export function speakJob(model = 'a', text = 'Hello.'): SpeakJob {
  return {
    op: 'speak',
    model,
    text,
    voice: 'v',
    language: 'en-US',
    speed: 1,
    format: 'wav',
  };
}

/**
 * A pool's surroundings with workers that do as the options say. `log` lists which workers started and ended, `ends` has
 * functions that end them from outside.
 * The model `unknown` does not exist, `wanted` is not installed.
 */
export function poolParts(options: Options = {}) {
  const { speak = speakTwice, load = () => Promise.resolve() } = options;
  const { ready = () => Promise.resolve(), close = () => Promise.resolve() } = options;
  const { unloadAfterMs = Infinity, device = 'wasm', heap = () => 100 } = options;
  const check = options.check ?? (() => Promise.resolve());
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const installer = {
    requireModel: (id: string, _signal: AbortSignal, autoInstall = false) =>
      id === 'unknown' || (id === 'wanted' && !autoInstall)
        ? Promise.reject(modelNotFound(id))
        : Promise.resolve({
            entry: packEntry(id, 'r1', { speech: SPEECH }),
            installation: installation('r1'),
            variant: hubVariant(id, { needs: { memoryBytes: SIZE, ...options.needs } }),
            contextLength: 0,
          }),
    touch: () => Promise.resolve(),
  };
  const start = (startedOn: ComputeDevice) => {
    log.push(startedOn === 'wasm' ? 'start' : `start on ${startedOn}`);
    const engine = engineOf<SpeechOperation | 'close' | 'heap'>({
      speak,
      open: () => withoutEvents(load),
      close: () => withoutEvents(close),
      async *heap() {
        yield { type: 'heap', bytes: heap() };
      },
    });
    const gone = Promise.withResolvers<void>();
    ends.push(gone.resolve);
    return { ...engine, ready: ready(), gone: gone.promise, end: () => void log.push('end') };
  };
  const progress = new ProgressBoard();
  const memory = new ModelMemory({ budget: () => Promise.resolve(2 * SIZE), unloadAfterMs });
  const parts: PoolParts<SpeechOperation> = {
    installer,
    progress,
    memory,
    start,
    device: () => Promise.resolve(device),
    loads: {
      check,
      during: (_, work) => work(),
      noteUnusable: ({ entry }) => Promise.resolve(void log.push(`${entry.id} is unusable`)),
    },
  };
  return { parts, progress, log, ends };
}

/** A pool, what its workers do, and a function that asks it for speech and gives the events' types. */
export function openPool(options: Options = {}) {
  const { parts, progress, log, ends } = poolParts(options);
  const pool = new WorkerPool(parts);
  const { installed, turn, retried, memory, answer } = pool;
  const speaking: Stage<Context<'speak'>>[] = [installed, turn, retried, memory, answer];
  const run = (job: SpeakJob, signal = NEVER) =>
    eventsOf<SpeakEvent>((emit, ending) => pass(speaking, { job, signal: ending, emit }), signal);
  const typesOf = async (job: SpeakJob, signal = NEVER) =>
    (await Array.fromAsync(run(job, signal))).map(({ type }) => type);
  return { pool, run, typesOf, progress, log, ends };
}
