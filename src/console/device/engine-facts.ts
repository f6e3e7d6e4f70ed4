import type { CatalogModel, DeviceReport, StartOptions } from '../../index.ts';
import type { Fact } from './fact.ts';

/** As many as the engines take, unless the site chooses. */
const MOST_FOR_TEXT = 8;
const MOST_FOR_SPEECH = 4;

/** What decides which engines run, and with how many threads. */
export interface EngineSurroundings {
  /** Logical cores of the processor. */
  cores: number;
  userAgent: string;
  /** Of the site. */
  options: Pick<StartOptions, 'engines' | 'threads' | 'speechThreads'>;
  models: readonly CatalogModel[];
  /** Whether the browser offers a model of its own, to pages at all. */
  hasBuiltIn: boolean;
}

/** Which engines run here, and why the others do not. */
export function engineFacts(device: DeviceReport, surroundings: EngineSurroundings): Fact[] {
  return [
    { name: 'WebLLM', value: ofWebLlm(device, surroundings) },
    { name: 'llama.cpp', value: ofLlamaCpp(device, surroundings) },
    { name: 'transformers.js (ONNX)', value: ofOnnx(device) },
    { name: 'Model of the browser', value: ofBrowser(surroundings) },
  ];
}

function ofWebLlm(
  { gpu, engine, shaderF16 }: DeviceReport,
  { options }: EngineSurroundings,
): string {
  if (options.engines && !options.engines.includes('webllm')) {
    return 'Does not run: this site does not allow it.';
  }
  if (gpu === 'none') {
    return 'Does not run: it needs WebGPU, and this browser has no graphics processor that it may use.';
  }
  if (engine !== 'webllm') {
    return 'Runs models that have no other engine: the CPU computes WebGPU here, and llama.cpp is faster on it.';
  }
  return shaderF16
    ? 'Runs: it writes text on the graphics processor.'
    : 'Runs: it writes text on the graphics processor. Models need a 32-bit variant, because it has no 16-bit shaders.';
}

function ofLlamaCpp({ engine }: DeviceReport, { options }: EngineSurroundings): string {
  if (options.engines && !options.engines.includes('llamacpp')) {
    return 'Does not run: this site does not allow it.';
  }
  return engine === 'llamacpp'
    ? 'Runs: it writes text on the CPU.'
    : 'Runs models that have no variant for WebLLM, on the CPU.';
}

function ofOnnx({ gpu }: DeviceReport): string {
  return gpu === 'hardware'
    ? 'Runs speech, transcription, embeddings and rerank on the CPU, and some voices on the graphics processor.'
    : 'Runs speech, transcription, embeddings and rerank on the CPU.';
}

function ofBrowser({ models, hasBuiltIn }: EngineSurroundings): string {
  const own = models.find(({ variant }) => variant.engine === 'builtin');
  if (!own) {
    return hasBuiltIn
      ? 'Does not run: this browser has one, but does not offer it on this device.'
      : 'Does not run: this browser has none that pages may use.';
  }
  return own.state === 'available'
    ? 'Runs once the browser has downloaded it: the page of models begins that.'
    : 'Runs: the browser has it.';
}

/** With how many threads models on the CPU compute, and why. */
export function threadFacts(device: DeviceReport, surroundings: EngineSurroundings): Fact[] {
  const why = oneThreadReason(device, surroundings);
  const { cores, options } = surroundings;
  if (why !== undefined) return [{ name: 'Threads', value: why }];
  return [
    {
      name: 'Threads for text',
      value:
        options.threads === undefined
          ? `The fastest number up to ${Math.min(MOST_FOR_TEXT, cores)}: it is measured while llama.cpp computes.`
          : `${options.threads}: this site has chosen it.`,
    },
    {
      name: 'Threads for speech',
      value:
        options.speechThreads === undefined
          ? `${Math.min(MOST_FOR_SPEECH, Math.ceil(cores / 2))}: half of the cores, at most 4.`
          : `${options.speechThreads}: this site has chosen it.`,
    },
  ];
}

/** Undefined: there may be several. */
function oneThreadReason(
  { isolated }: DeviceReport,
  { userAgent }: EngineSurroundings,
): string | undefined {
  if (!isolated) return '1: the page is not isolated, so threads cannot share memory.';
  // As the engines decide it: there, a worker that starts threads may hang.
  return userAgent.includes('Firefox/') ? '1: in Firefox, more would not be safe.' : undefined;
}
