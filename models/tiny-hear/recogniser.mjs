/**
 * A snapshot or pack of tiny-hear in transformers.js, on ONNX Runtime's WebAssembly in Node.
 *
 * The native backend is not installed, so transformers.js is given the WebAssembly one.
 */

import { readFileSync } from 'node:fs';

const WAV_HEADER = 44; // bytes
const MODULES = new URL('../../node_modules/', import.meta.url);

const runtime = await import(new URL('onnxruntime-web/dist/ort.node.min.mjs', MODULES));
globalThis[Symbol.for('onnxruntime')] = runtime;
const { env, pipeline } = await import('@huggingface/transformers');
env.allowRemoteModels = false;
runtime.env.wasm.wasmPaths = new URL('onnxruntime-web/dist/', MODULES).href;
runtime.env.wasm.numThreads = 1;

/** The pipeline for `folder`, an absolute path that ends with a slash. */
export function recogniser(folder) {
  env.localModelPath = new URL('..', `file://${folder}`).pathname;
  return pipeline('automatic-speech-recognition', folder.split('/').at(-2), {
    device: 'auto',
    dtype: 'fp32',
    session_options: { executionProviders: ['wasm'] },
  });
}

/** Reads a mono WAV file with 16 bits and 16,000 samples per second. Returns samples from -1 to 1. */
export function readWav(path) {
  const bytes = readFileSync(path);
  const samples = new Int16Array(
    bytes.buffer,
    bytes.byteOffset + WAV_HEADER,
    (bytes.length - WAV_HEADER) / 2,
  );
  return Float32Array.from(samples, (value) => value / 32768);
}
