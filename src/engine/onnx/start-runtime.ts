import { isCutOff } from '../../core/version.ts';
import { siteWorkers } from '../../core/site/site-script.ts';
import type { ComputeDevice } from '../../core/realms/device-report.ts';
import { siteFile, wasmFile } from '../workers/site-file.ts';
import { setUpRuntime } from './transformers/runtime.ts';
import { onnxThreads } from '../scheduling/threads.ts';

interface Options {
  device: ComputeDevice;
  /** How many threads to compute with; undefined: what the device suggests. */
  threads: number | undefined;
  /** The build of ONNX Runtime that this bundle is made for. */
  wasm: URL;
  /** The script that each further thread starts with. */
  threadScript: URL;
}

/**
 * Prepares ONNX Runtime in this worker.
 *
 * @throws ApiError 500 if its WebAssembly cannot be fetched
 */
export async function startRuntime(options: Options): Promise<void> {
  watchHeap();
  const [wasm, threads] = await Promise.all([wasmFile(options.wasm), threadsOf(options)]);
  if (threads) globalThis.Worker = siteWorkers(globalThis.Worker);
  setUpRuntime(wasm, options.device, threads);
}

/** Undefined for one thread: on a GPU, and on sites without a whole script for more. */
async function threadsOf({ device, threads, threadScript }: Options) {
  const count = device === 'webgpu' ? 1 : onnxThreads(threads, globalThis).count;
  if (count === 1) return undefined;
  const script = await siteFile(threadScript).catch(() => undefined);
  const isUsable = script && !isCutOff(new TextDecoder().decode(script));
  return isUsable ? { count, script: threadScript.href } : undefined;
}

const memories: WebAssembly.Memory[] = [];

/**
 * Notes each memory that is made for WebAssembly from now on: ONNX Runtime does not tell how large its own is. It
 * grows with what a model computes and cannot shrink.
 */
export function watchHeap(): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const memory = new target(descriptor);
      memories.push(memory);
      return memory;
    },
  });
}

/** Size of the memory of WebAssembly in this worker, bytes. */
export function heapBytes(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
