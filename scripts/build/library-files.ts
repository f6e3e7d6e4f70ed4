import type { Plugin } from 'vite';
import { BUILT_IN } from '../../src/core/realms/built-in.ts';
import { LLAMACPP, MCP_CLIENT, PDF_READER, WEBLLM } from '../../src/core/site/engine-files.ts';
import {
  ENGLISH,
  MP3_ENCODER,
  ONNX_BUILDS,
  ONNX_THREAD,
  VOICE_DETECTOR,
} from '../../src/core/site/onnx-files.ts';
import { OUTLIVING, PAGE_API, PROMPT_API } from '../../src/core/realms/page-api.ts';
import { HANDLE, SERVICE_WORKER } from '../../src/core/site/service-worker-files.ts';
import { besidePageLibrary, modelList } from './bundle-plugins.ts';

/** One file of `dist/lib`. */
export interface Bundle {
  file: string;
  entry: string;
  /** Our service worker is a classic script, which every browser can register; the others are modules. */
  format: 'es' | 'iife';
  /** Folders whose sources it may contain. */
  inputs: string[];
  /** Files with the licences of what it contains or loads, other than npm packages. */
  notices?: string[];
  /** Only for bundles that contain transformers.js. */
  runtime?: Runtime;
  /** A plugin that only this bundle needs. */
  plugin?: Plugin;
  /** What its source map leads to: all sources if nothing is said. A package's code can be larger than all of ours. */
  sourceMap?: 'own sources' | 'none';
  /** Made as small as possible: every visitor downloads it, whether or not they use the API. */
  isSmallest?: true;
}

/** A build of ONNX Runtime: its module, its WebAssembly, and the name of that file in `dist/lib`. */
export interface Runtime {
  module: string;
  wasm: string;
  file: string;
}

/** The build without WebGPU. It runs in every browser, on a single thread if the page may use only one. */
export const PLAIN: Runtime = {
  module: 'onnxruntime-web/wasm',
  wasm: 'ort-wasm-simd-threaded.wasm',
  file: ONNX_BUILDS.wasm.wasm,
};

/** The build with WebGPU for browsers with JavaScript promise integration. One for all browsers is 10 MB larger. */
const WITH_GPU: Runtime = {
  module: 'onnxruntime-web/jspi',
  wasm: 'ort-wasm-simd-threaded.jspi.wasm',
  file: ONNX_BUILDS.webgpu.wasm,
};

const ONNX = {
  entry: 'src/engine/onnx/worker.ts',
  format: 'es' as const,
  inputs: ['src/engine', 'src/core', 'models/silero-vad'],
  notices: ['models/silero-vad/NOTICES.md'],
  sourceMap: 'own sources' as const,
};

const ENGINE = { inputs: ['src/engine', 'src/core'], format: 'es' as const };
const WORKER = { inputs: ['sw', 'src/core'], isSmallest: true as const };
const PAGE = { inputs: ['src/page', 'src/core'], isSmallest: true as const };

export const BUNDLES: Bundle[] = [
  { file: 'slashv1.js', entry: 'src/index.ts', format: 'es', ...PAGE },
  {
    file: PROMPT_API,
    entry: 'src/prompt-api/index.ts',
    format: 'es',
    inputs: ['src/prompt-api', 'src/core/async', 'src/core/text'],
    plugin: besidePageLibrary,
    isSmallest: true,
  },
  { file: SERVICE_WORKER.script, entry: 'sw/sw.ts', format: 'iife', ...WORKER },
  { file: SERVICE_WORKER.api, entry: 'sw/sw-api.ts', format: 'iife', ...WORKER },
  { file: HANDLE.module, entry: 'sw/handle.ts', format: 'es', ...WORKER },
  { file: HANDLE.script, entry: 'sw/classic.ts', format: 'iife', ...WORKER },
  { file: 'check-request.js', entry: 'sw/checking/index.ts', format: 'es', ...WORKER },
  { file: 'connect.js', entry: 'src/page/frame/connect.ts', format: 'es', ...PAGE },
  { file: PAGE_API, entry: 'src/on-demand.ts', format: 'es', inputs: ['sw', ...PAGE.inputs] },
  { file: OUTLIVING, entry: 'src/page/leader/outliving.ts', format: 'es', ...PAGE },
  { file: BUILT_IN, entry: 'src/page/built-in/built-in.ts', format: 'es', ...PAGE },
  {
    file: 'engine.js',
    entry: 'src/engine/worker.ts',
    ...ENGINE,
    plugin: modelList,
  },
  {
    file: WEBLLM,
    entry: 'src/engine/webllm/library.ts',
    format: 'es',
    inputs: [],
    sourceMap: 'none',
  },
  {
    file: LLAMACPP.script,
    entry: 'src/engine/llamacpp/worker/worker.ts',
    format: 'es',
    inputs: ['src/engine', 'src/core', 'models/llamacpp'],
    notices: ['models/llamacpp/NOTICES.md'],
    sourceMap: 'own sources',
  },
  { file: ONNX_BUILDS.wasm.script, ...ONNX, runtime: PLAIN },
  { file: ONNX_BUILDS.webgpu.script, ...ONNX, runtime: WITH_GPU },
  {
    file: MCP_CLIENT,
    entry: 'src/engine/mcp/client.ts',
    format: 'es',
    inputs: ['src/engine/mcp', 'src/core'],
    sourceMap: 'own sources',
  },
  {
    file: ENGLISH,
    entry: 'src/engine/onnx/speech/english/library.ts',
    format: 'es',
    inputs: ['src/engine/onnx/speech/english'],
    sourceMap: 'own sources',
  },
  {
    file: PDF_READER,
    entry: 'src/engine/files/reading/pdf/worker.ts',
    ...ENGINE,
    sourceMap: 'own sources',
  },
];

/** The files that workers fetch: name in `dist/lib`, and where it is copied from. */
export const COPIES: Record<string, string> = {
  [LLAMACPP.wasm]: 'models/llamacpp/built/llamacpp.wasm',
  [LLAMACPP.threadScript]: 'models/llamacpp/built/llamacpp-threads.js',
  [LLAMACPP.threadWasm]: 'models/llamacpp/built/llamacpp-threads.wasm',
  [LLAMACPP.gpuScript]: 'models/llamacpp/built/llamacpp-gpu.js',
  [LLAMACPP.gpuWasm]: 'models/llamacpp/built/llamacpp-gpu.wasm',
  ...Object.fromEntries(
    [PLAIN, WITH_GPU].map(({ file, wasm }) => [file, `node_modules/onnxruntime-web/dist/${wasm}`]),
  ),
  // The runtime's glue. It is in onnx.js too, but a thread needs only these 24 kB to begin.
  [ONNX_THREAD]: 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  [VOICE_DETECTOR]: 'models/silero-vad/silero_vad_16k_op15.onnx',
  // LAME is a file of its own, because its licence (LGPL) requires that users can replace it.
  [MP3_ENCODER]: 'node_modules/wasm-media-encoders/wasm/mp3.wasm',
};
