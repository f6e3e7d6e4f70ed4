import { env, LogLevel } from '@huggingface/transformers';
import { serverError } from '../../../core/errors/errors.ts';
import type { ComputeDevice } from '../../../core/realms/device-report.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** transformers.js looks for a model's files below this address. Nothing is ever fetched from it. */
const MODELS = 'https://model.slashv1.invalid/';

/** The one model of this worker, as transformers.js names it. */
export const MODEL = 'model';

let runsOn: ComputeDevice = 'wasm';

/**
 * Makes transformers.js use the given build of ONNX Runtime, without a CDN and without a cache of its own.
 *
 * @param wasm - the build of ONNX Runtime that this bundle is made for
 * @param device - the device that models run on
 * @param threads - their number, and the script that each further thread starts with; undefined: one thread
 */
export function setUpRuntime(
  wasm: Uint8Array<ArrayBuffer>,
  device: ComputeDevice,
  threads: { count: number; script: string } | undefined,
): void {
  runsOn = device;
  env.logLevel = LogLevel.ERROR;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = MODELS;
  // A file that the model does not have is not fetched from elsewhere.
  env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));
  env.useBrowserCache = false;
  env.useWasmCache = false;
  const runtime = env.backends.onnx.wasm;
  if (!runtime) throw serverError('engine_error', 'ONNX Runtime has no WebAssembly backend.');
  runtime.wasmBinary = wasm;
  // Otherwise it would fetch the binary from a CDN.
  delete runtime.wasmPaths;
  runtime.numThreads = threads?.count ?? 1;
  // Otherwise each thread would start with this worker's own script.
  if (threads) runtime.wasmPaths = { mjs: threads.script };
}

/** The device that models run on. */
export function computingDevice(): ComputeDevice {
  return runsOn;
}

/** Makes transformers.js read the files of this model. */
export function serve(read: ReadFile): void {
  env.useCustomCache = true;
  env.customCache = {
    match: async (address: string) => {
      const blob = await read(address.replace(`${MODELS}${MODEL}/`, ''));
      return blob && new Response(blob);
    },
    put: () => Promise.resolve(),
  };
}

/** Runs work of transformers.js. @throws ApiError 500 with `out_of_memory` or `engine_error` */
export async function orRuntimeError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw runtimeError(error);
  }
}

/** ONNX Runtime throws errors, or numbers if WebAssembly itself fails. */
function runtimeError(error: unknown): unknown {
  const message = messageOf(error);
  if (/out of memory|bad_alloc|OOM|Failed to allocate|memory access/i.test(message)) {
    return serverError('out_of_memory', `There is not enough memory to run the model: ${message}`);
  }
  return error instanceof Error ? error : serverError('engine_error', message);
}
