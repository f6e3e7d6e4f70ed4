import type { CatalogModel, DeviceReport, StartOptions, ThreadReport } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatNumber } from '../ui/format.ts';
import type { Fact } from './fact.ts';

/** Facts besides the engine's report that decide which engines run. */
export interface EngineSurroundings {
  /** The site's options. */
  options: Pick<StartOptions, 'engines'>;
  models: readonly CatalogModel[];
  /** Whether the browser has an API for a model of its own. */
  hasBuiltIn: boolean;
}

/** Where models that write text compute on this device. */
export function describeDevice({ gpu, engine, llamacpp }: DeviceReport): string {
  const text = messages.value.device.lead;
  if (engine === null) return text.nothing;
  if (gpu !== 'hardware') return text.onlyCpu;
  return engine === 'webllm' || llamacpp === 'webgpu' ? text.gpu : text.cpu;
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

function ofLlamaCpp({ engine, llamacpp }: DeviceReport, { options }: EngineSurroundings): string {
  const text = messages.value.device.engines;
  if (options.engines && !options.engines.includes('llamacpp')) return text.notAllowed;
  if (engine === 'llamacpp') return llamacpp === 'webgpu' ? text.gpu : text.cpu;
  return llamacpp === 'webgpu' ? text.othersOnGpu : text.others;
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

/** How many threads models on the CPU use, and why. */
export function threadFacts({ threads: { llamacpp, onnx } }: DeviceReport): Fact[] {
  const text = messages.value.device.threads;
  const alone = oneThread(llamacpp);
  // The reason concerns the page, so it holds for both engines.
  if (alone !== undefined) return [{ name: text.all, value: alone }];
  const most = formatNumber(llamacpp.count);
  const count = formatNumber(onnx.count);
  const limit = formatNumber(onnx.limit);
  return [
    {
      name: text.text,
      value:
        llamacpp.reason === 'site'
          ? fill(text.chosen, { count: most })
          : fill(text.fastest, { most }),
    },
    {
      name: text.speech,
      value:
        onnx.reason === 'site'
          ? fill(text.chosen, { count })
          : fill(text.half, { count, most: limit }),
    },
  ];
}

/** Why there is only one thread; undefined: there may be several. */
function oneThread({ reason }: ThreadReport): string | undefined {
  const { notIsolated, notShared, firefox } = messages.value.device.threads;
  switch (reason) {
    case 'not-isolated':
      return notIsolated;
    case 'no-shared-memory':
      return notShared;
    case 'firefox':
      return firefox;
    case 'cores':
    case 'site':
      return undefined;
  }
}
