import { env } from '@huggingface/transformers';
import type { DirectOnnxModel } from './embed-messages.ts';

/** Makes transformers.js read the files of a pack. @returns the model's name for transformers.js */
export async function servePack({ pack, runtime }: DirectOnnxModel): Promise<string> {
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new Error('ONNX Runtime has no WebAssembly backend.');
  wasm.wasmBinary = await (await fetch(runtime)).arrayBuffer();
  delete wasm.wasmPaths;
  wasm.numThreads = 1;
  env.allowLocalModels = false;
  env.remoteHost = new URL('..', pack).href;
  env.remotePathTemplate = '{model}/';
  return new URL(pack).pathname.split('/').at(-2) ?? '';
}
