import { checkSameLength, checkSamePrompt, checkSameWork, type TimedAnswer } from './answer.ts';
import type { ComputeDevice, TextEngineName } from '../src/core/realms/device-report.ts';
import type { DirectModel, GgufModel } from './direct/messages.ts';
import { directModel, ggufModel, type BenchModel } from './models.ts';

/** Options of `start`. */
export interface V1Options {
  engines: TextEngineName[];
  llamacppDevice?: ComputeDevice;
  threads?: number;
  memoryBudget?: number;
}

/** The two sides that a launch compares. */
export interface Sides {
  v1: V1Options;
  direct: DirectModel;
  /** @throws Error if the two sides did different work, because their times then can't be compared */
  check: (v1: TimedAnswer, direct: TimedAnswer) => void;
}

/** Name of the script of the other side, below `direct/` of the bench's site. */
export const SCRIPTS: Record<DirectModel['engine'], string> = {
  webllm: 'worker.js',
  llamacpp: 'llamacpp-worker.js',
  wllama: 'wllama.js',
};

/**
 * Memory budget for the default model with a single conversation, bytes. So if another question came in between, a
 * question is always prefilled as a whole.
 */
const ONE_CONVERSATION = 300e6;

/** WebLLM on both sides. */
export function webLlmSides(model: BenchModel, origin: string): Sides {
  const v1: V1Options = { engines: ['webllm'] };
  return { v1, direct: directModel(model, origin), check: checkSameWork };
}

/**
 * llama.cpp on both sides. Our binding gives the same text through `/v1` and without it; wllama has another
 * version of llama.cpp, whose text may differ.
 */
export function llamaCppSides(
  model: BenchModel,
  origin: string,
  other: Pick<GgufModel, 'engine' | 'threads'>,
): Sides {
  return {
    v1: { engines: ['llamacpp'], threads: other.threads, memoryBudget: ONE_CONVERSATION },
    direct: ggufModel(model, origin, { ...other, onGpu: false }),
    check: other.engine === 'wllama' ? checkSameLength : checkSameWork,
  };
}

/** The engine that a device without a GPU chooses, beside WebLLM on an adapter that the CPU emulates. */
export function emulatedSides(model: BenchModel, origin: string): Sides {
  const v1: V1Options = { engines: ['webllm', 'llamacpp'], memoryBudget: ONE_CONVERSATION };
  return { v1, direct: directModel(model, origin), check: checkSamePrompt };
}

/** Options for llama.cpp on the GPU, with a single conversation. */
export function onGpu({ contextLength, gguf: { memory } }: BenchModel): V1Options {
  const { weightBytes, bufferBytes, tokenBytes } = memory;
  const memoryBudget = weightBytes + bufferBytes + 1.5 * contextLength * tokenBytes;
  return { engines: ['llamacpp'], llamacppDevice: 'webgpu', memoryBudget };
}

/** llama.cpp on the GPU on both sides. */
export function wllamaOnGpuSides(model: BenchModel, origin: string): Sides {
  const direct = ggufModel(model, origin, { engine: 'wllama', threads: 1, onGpu: true });
  return { v1: onGpu(model), direct, check: checkSameLength };
}

/** llama.cpp beside WebLLM, on the same GPU. */
export function webLlmOnGpuSides(model: BenchModel, origin: string): Sides {
  return { v1: onGpu(model), direct: directModel(model, origin), check: checkSamePrompt };
}
