import { BUILT_IN } from '../realms/built-in.ts';
import { VERSION } from '../version.ts';
import { ONNX_FILES, SPEECH_FILES } from './onnx-files.ts';
import { OUTLIVING, PAGE_API } from '../realms/page-api.ts';

/**
 * The worker of a llama.cpp model and its WebAssembly, in `dist/lib` and beside `sw.js`. Only cross-origin
 * isolated pages fetch the build with threads, whose script each thread begins with. Only workers that compute on a
 * GPU fetch the build for it.
 */
export const LLAMACPP = {
  script: 'llamacpp.js',
  wasm: 'llamacpp.wasm',
  threadScript: 'llamacpp-threads.js',
  threadWasm: 'llamacpp-threads.wasm',
  gpuScript: 'llamacpp-gpu.js',
  gpuWasm: 'llamacpp-gpu.wasm',
};

/** The files of `LLAMACPP` for the CPU, and those that only GPUs need in addition. */
export const LLAMACPP_FILES = [
  LLAMACPP.script,
  LLAMACPP.wasm,
  LLAMACPP.threadScript,
  LLAMACPP.threadWasm,
];
export const LLAMACPP_GPU_FILES = [LLAMACPP.gpuScript, LLAMACPP.gpuWasm];

/** WebLLM, in `dist/lib` and beside `sw.js`. The engine worker imports it when a model runs on the GPU. */
export const WEBLLM = 'webllm.js';

/** The script's address names its version, so that a cached copy can be used without asking the server. */
export const WEBLLM_URL = `${WEBLLM}?${VERSION}`;

/** The worker that reads PDFs which are stored to be searched. */
export const PDF_READER = 'files-pdf.js';

/** The client of MCP servers, in `dist/lib` and beside `sw.js`. The engine worker imports it when a request needs it. */
export const MCP_CLIENT = 'mcp.js';

/** The script's address names its version, like `WEBLLM_URL`. */
export const MCP_CLIENT_URL = `${MCP_CLIENT}?${VERSION}`;

/** The API for pages, and the files of single engines: a page fetches them when it first uses them. */
export const ON_DEMAND_FILES = [
  PAGE_API,
  OUTLIVING,
  BUILT_IN,
  WEBLLM,
  MCP_CLIENT,
  ...ONNX_FILES,
  ...SPEECH_FILES,
  ...LLAMACPP_FILES,
  ...LLAMACPP_GPU_FILES,
  PDF_READER,
];

/**
 * Name of the cache for these files. It is named after the first of them, the files for speech.
 *
 * @param root - path of the service worker's scope
 */
export function onDemandCache(root: string): string {
  return `slashv1-speech:${root}`;
}
