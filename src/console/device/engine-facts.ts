import type { CatalogModel, DeviceReport, StartOptions } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { formatNumber } from '../ui/format.ts';
import type { Fact } from './fact.ts';

/** As many as the engines take, unless the site chooses. */
const MOST_FOR_TEXT = 8;
const MOST_FOR_SPEECH = 4;

/** What decides which engines run, and with how many threads. */
export interface EngineSurroundings {
  /** Logical cores of the processor. */
  cores: number;
  userAgent: string;
  /** Whether the browser has SharedArrayBuffer. */
  sharesMemory: boolean;
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
    { name: messages.value.device.engines.builtin, value: ofBrowser(surroundings) },
  ];
}

function ofWebLlm(
  { gpu, engine, shaderF16 }: DeviceReport,
  { options }: EngineSurroundings,
): string {
  const text = messages.value.device.engines;
  if (options.engines && !options.engines.includes('webllm')) return text.notAllowed;
  if (gpu === 'none') return text.noWebgpu;
  if (engine !== 'webllm') return text.otherEngine;
  return shaderF16 ? text.gpu : text.gpu32;
}

function ofLlamaCpp({ engine }: DeviceReport, { options }: EngineSurroundings): string {
  const text = messages.value.device.engines;
  if (options.engines && !options.engines.includes('llamacpp')) return text.notAllowed;
  return engine === 'llamacpp' ? text.cpu : text.others;
}

function ofOnnx({ gpu }: DeviceReport): string {
  const { onnx, onnxGpu } = messages.value.device.engines;
  return gpu === 'hardware' ? onnxGpu : onnx;
}

function ofBrowser({ models, hasBuiltIn }: EngineSurroundings): string {
  const text = messages.value.device.engines;
  const own = models.find(({ variant }) => variant.engine === 'builtin');
  if (!own) return hasBuiltIn ? text.notOffered : text.notForPages;
  return own.state === 'available' ? text.onceDownloaded : text.own;
}

/** With how many threads models on the CPU compute, and why. */
export function threadFacts(device: DeviceReport, surroundings: EngineSurroundings): Fact[] {
  const why = oneThreadReason(device, surroundings);
  const { cores, options } = surroundings;
  const text = messages.value.device.threads;
  if (why !== undefined) return [{ name: text.all, value: why }];
  return [
    {
      name: text.text,
      value:
        options.threads === undefined
          ? text.fastest(formatNumber(Math.min(MOST_FOR_TEXT, cores)))
          : text.chosen(formatNumber(options.threads)),
    },
    {
      name: text.speech,
      value:
        options.speechThreads === undefined
          ? text.half(formatNumber(Math.min(MOST_FOR_SPEECH, Math.ceil(cores / 2))))
          : text.chosen(formatNumber(options.speechThreads)),
    },
  ];
}

/** Undefined: there may be several. */
function oneThreadReason(
  { isolated }: DeviceReport,
  { userAgent, sharesMemory }: EngineSurroundings,
): string | undefined {
  const { notIsolated, notShared, firefox } = messages.value.device.threads;
  if (!isolated) return notIsolated;
  // As the engines decide it: canUseThreads.
  if (!sharesMemory) return notShared;
  return userAgent.includes('Firefox/') ? firefox : undefined;
}
