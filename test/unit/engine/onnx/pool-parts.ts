import type { Job, JobEvent, SpeakJob } from '../../../../src/core/protocol/engine.ts';
import { modelNotFound } from '../../../../src/core/protocol/errors.ts';
import type { SpeechDevice } from '../../../../src/core/protocol/messages.ts';
import type { PoolParts } from '../../../../src/engine/onnx/worker-pool.ts';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { installation, packEntry } from '../../support/entries.ts';

/** Bytes of each model. There is room for two. */
const SIZE = 100;

/** How a worker answers a job. */
export type Speak = (
  job: SpeakJob,
  signal: AbortSignal,
) => AsyncGenerator<JobEvent, void, undefined>;

export const speakTwice: Speak = async function* () {
  yield { type: 'audio', bytes: new Uint8Array([0]) };
  yield { type: 'audio', bytes: new Uint8Array([1]) };
};

interface Options {
  speak?: Speak;
  /** Loads a model into a worker. */
  load?: () => Promise<void>;
  unloadAfterMs?: number;
  device?: SpeechDevice;
}

export function speakJob(model = 'a', text = 'Hello.'): SpeakJob {
  return {
    ...{ op: 'speak', model, text, voice: 'v', language: 'en-US', speed: 1, format: 'wav' },
  };
}

/**
 * A pool's surroundings with workers that do as the options say. `log` lists which workers started and ended
 * and which models were removed. The model `unknown` does not exist, `wanted` is not installed.
 */
export function poolParts(options: Options = {}) {
  const { speak = speakTwice, load = () => Promise.resolve() } = options;
  const { unloadAfterMs = Infinity, device = 'wasm' } = options;
  const log: string[] = [];
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
  const start = (startedOn: SpeechDevice) => {
    log.push(startedOn === 'wasm' ? 'start' : `start on ${startedOn}`);
    async function* run(job: Job, signal: AbortSignal) {
      if (job.op === 'speak') yield* speak(job, signal);
      else await load();
    }
    return { run, end: () => void log.push('end') };
  };
  const progress = new ProgressBoard();
  const memory = new ModelMemory({ budget: () => Promise.resolve(2 * SIZE), unloadAfterMs });
  const parts: PoolParts = {
    ...{ library, progress, memory, start },
    device: () => Promise.resolve(device),
  };
  return { parts, progress, log };
}
