import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BUILT_IN } from '../src/core/realms/built-in.ts';
import { LLAMACPP, WEBLLM, WEBLLM_WORKER } from '../src/core/realms/engine-files.ts';
import {
  ENGLISH,
  MP3_ENCODER,
  ONNX_BUILDS,
  ONNX_THREAD,
  VOICE_DETECTOR,
} from '../src/core/realms/onnx-files.ts';
import { PAGE_API, PROMPT_API } from '../src/core/realms/page-api.ts';
import { HANDLE, SERVICE_WORKER } from '../src/core/realms/service-worker-files.ts';
import { END_NOTE, VERSION_NOTE } from '../src/core/version.ts';
import { smallest, type Code } from './bundle-code.ts';
import { besidePageLibrary, modelList, versionOnly } from './bundle-plugins.ts';
import { ROOT, makeIfChanged } from './stamp.ts';
import { build } from './vite-build.ts';

/** One file of `dist/lib`. */
interface Bundle {
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
  /** True if most of it is a package's code, whose source map would be larger than all others. */
  isForeign?: true;
  /** Made as small as possible: every visitor downloads it, whether or not they use the API. */
  isSmallest?: true;
}

/** A build of ONNX Runtime: its module, its WebAssembly, and the name of that file in `dist/lib`. */
interface Runtime {
  module: string;
  wasm: string;
  file: string;
}

/** The build without WebGPU. It runs in every browser, on a single thread if the page may use only one. */
const PLAIN: Runtime = {
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
  isForeign: true as const,
};

const ENGINE = { inputs: ['src/engine', 'src/core'], format: 'es' as const };
const WORKER = { inputs: ['sw', 'src/core'], isSmallest: true as const };
const PAGE = { inputs: ['src/page', 'src/core'], isSmallest: true as const };

const BUNDLES: Bundle[] = [
  { file: 'slashv1.js', entry: 'src/index.ts', format: 'es', ...PAGE },
  {
    file: PROMPT_API,
    entry: 'src/prompt-api/index.ts',
    format: 'es',
    inputs: ['src/prompt-api', 'src/core/async'],
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
    isForeign: true,
  },
  { file: WEBLLM_WORKER, entry: 'src/engine/webllm/retrieval/worker.ts', ...ENGINE },
  {
    file: LLAMACPP.script,
    entry: 'src/engine/llamacpp/worker/worker.ts',
    format: 'es',
    inputs: ['src/engine', 'src/core', 'models/llamacpp'],
    notices: ['models/llamacpp/NOTICES.md'],
    isForeign: true,
  },
  { file: ONNX_BUILDS.wasm.script, ...ONNX, runtime: PLAIN },
  { file: ONNX_BUILDS.webgpu.script, ...ONNX, runtime: WITH_GPU },
  {
    file: ENGLISH,
    entry: 'src/engine/onnx/speech/english/library.ts',
    format: 'es',
    inputs: ['src/engine/onnx/speech/english'],
    isForeign: true,
  },
];

/** The files that workers fetch: name in `dist/lib`, and where it is copied from. */
const COPIES: Record<string, string> = {
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

/**
 * Vite plugin for the bundle with llama.cpp and XGrammar. In library mode, Vite would inline llama.cpp's WebAssembly as
 * text, so its URL is removed; the worker gives it to llama.cpp's module. XGrammar's script also runs in Node, so its
 * imports of Node's modules are removed.
 */
export const llamaModules = {
  name: 'llama-modules',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    if (id.includes('/models/llamacpp/built/')) {
      return code.replace('new URL("llamacpp.wasm",import.meta.url).href', '""');
    }
    if (!id.includes('/web-xgrammar/')) return undefined;
    return code.replaceAll("require('u' + 'rl')", '{}').replace("import('module')", '{}');
  },
};

/** Vite options for bundles with transformers.js: they load the runtime's file that is copied beside them. */
export function speechRuntime({ module, file }: Runtime = PLAIN) {
  const asset = /new URL\("ort-wasm-simd-threaded(?:\.jspi)?\.wasm",\s*import\.meta\.url\)/g;
  const chained = /(web(?:Init|Inference)Chain)\.then\((\w+)\)/g;
  const transform = (code: string, id: string) => {
    // In library mode, Vite would inline the runtime's WebAssembly as text, which is 19 MB.
    if (id.includes('/onnxruntime-web/')) {
      return code.replace(asset, `new URL("${file}", import.meta["url"])`);
    }
    if (!id.includes('/@huggingface/transformers/')) return undefined;
    // In transformers.js 4.3, after one graph could not be opened or run, all later ones fail with the same error.
    return code.replace(chained, '$1.then($2, $2)');
  };
  return {
    alias: { 'onnxruntime-web/webgpu': module },
    plugin: { name: 'runtime-file', enforce: 'pre' as const, transform },
    // With named exports, a dictionary would have a variable and two names for each word: twice the size.
    json: { namedExports: false, stringify: true },
  };
}

const TOOLS = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build-library.ts',
  'scripts/bundle-code.ts',
  'scripts/bundle-plugins.ts',
  'package.json',
  'src/core/version.ts',
];

/** Name of Vite's file with the licences of all packages that a bundle contains. */
const NOTICES = 'notices.md';

/** The default build of workbox-window is ES5, which is half as large again. */
const WORKBOX = { 'workbox-window': 'workbox-window/build/workbox-window.prod.mjs' };

/** The single chunk that the entry and all its imports are bundled into. */
interface Bundled extends Code {
  /** Markdown. */
  notices: string;
}

async function bundled(bundle: Bundle): Promise<Bundled> {
  const { entry, format, file, runtime, isSmallest } = bundle;
  const { alias, plugin, json } = speechRuntime(runtime);
  const result = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    envDir: false,
    logLevel: 'warn',
    // Library mode leaves this to the next bundler, but these files are not bundled again.
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { ...WORKBOX, ...alias } },
    plugins: [versionOnly, plugin, llamaModules, bundle.plugin],
    json,
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      sourcemap: 'hidden',
      license: { fileName: NOTICES },
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      lib: { entry, formats: [format], name: 'slashv1', fileName: () => file },
      // Library mode keeps white space in ES modules unless `minify` is also set here.
      rolldownOptions: {
        output: {
          codeSplitting: false,
          minify: true,
          comments: { annotation: isSmallest === true },
        },
      },
    },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const notices = outputs.find(({ fileName }) => fileName === NOTICES);
  const [chunk, ...others] = outputs.filter(
    (each) => each !== notices && each.fileName !== mapOf(file),
  );
  if (chunk?.type !== 'chunk' || !chunk.map || others.length > 0) {
    throw new Error(`${file} must be one file, but ${entry} became ${outputs.length}.`);
  }
  const { code, map } = chunk;
  const made = isSmallest ? await smallest({ code, map }) : { code, map: map.toString() };
  return { ...made, notices: notices?.type === 'asset' ? notices.source.toString() : '' };
}

/** Writes a temporary file and renames it, so that a server never sends half a file. */
function writeLibraryFile(file: string, content: string | Uint8Array): void {
  const path = join(ROOT, 'dist/lib', file);
  const temporary = `${path}.${process.pid}`;
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(temporary, file.endsWith('.js') ? noted(content.toString()) : content);
  renameSync(temporary, path);
}

function noted(script: string): string {
  return `${VERSION_NOTE}${script.trimEnd()}\n${END_NOTE}`;
}

function copyFile(from: string, file: string): Promise<void> {
  const content = readFileSync(join(ROOT, from));
  writeLibraryFile(file, file === ONNX_THREAD ? asModule(content) : content);
  return Promise.resolve();
}

/** Checkers of packages recognise a module by an `export` that follows white space. */
function asModule(content: Buffer): string {
  return content.toString().replace('}export default', '}\nexport default');
}

async function makeBundle(bundle: Bundle): Promise<void> {
  if (!existsSync(join(ROOT, bundle.entry))) throw new Error(`${bundle.entry} is missing.`);
  const { code, map, notices } = await bundled(bundle);
  const others = (bundle.notices ?? []).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const isMapped = bundle.isForeign === undefined;
  writeLibraryFile(bundle.file, isMapped ? mapped(bundle.file, code) : code);
  if (isMapped) writeLibraryFile(mapOf(bundle.file), belowNote(map));
  writeLibraryFile(noticesOf(bundle), [notices, ...others].join('\n'));
}

function mapOf(file: string): string {
  return `${file}.map`;
}

/** A script that names its source map. */
function mapped(file: string, code: string): string {
  return `${code.trimEnd()}\n//# sourceMappingURL=${mapOf(file)}`;
}

/** The source map of a script whose first line is the version note. */
function belowNote(map: string): string {
  return map.replace('"mappings":"', '"mappings":";');
}

function noticesOf({ file }: Bundle): string {
  return `${file}.notices.md`;
}

/** One file of `dist/lib`, whether bundled or copied, and what is made beside it. */
interface LibraryFile {
  file: string;
  beside: string[];
  inputs: string[];
  make: () => Promise<void>;
}

const LIBRARY_FILES: LibraryFile[] = [
  ...BUNDLES.map((bundle) => ({
    file: bundle.file,
    beside: [noticesOf(bundle), ...(bundle.isForeign ? [] : [mapOf(bundle.file)])],
    inputs: [bundle.entry, ...bundle.inputs],
    make: () => makeBundle(bundle),
  })),
  ...Object.entries(COPIES).map(([file, from]) => ({
    file,
    beside: [],
    // For the files of packages, the lock file in `TOOLS` is enough.
    inputs: from.startsWith('node_modules/') ? [] : [from],
    make: () => copyFile(from, file),
  })),
];

/**
 * Builds `dist/lib`, whose bundles are:
 *
 * - `slashv1.js`, the page library
 * - `sw.js` and `sw-api.js`, the service worker
 * - `handle.js` and `slashv1-sw.js`, the same for a site's own service worker
 * - `prompt-api.js`, the Prompt API
 * - `check-request.js`, which checks requests before they are sent
 * - `connect.js`, for frames that use the API of the page around them
 * - `api.js`, the API for pages
 * - `built-in.js`, the browser's own model
 * - `engine.js`, the engine worker
 * - `webllm.js`, WebLLM, and `webllm-worker.js`, the worker of an embedder that WebLLM runs
 * - `llamacpp.js`, the worker of a llama.cpp model
 * - `onnx.js` and `onnx-gpu.js`, the worker of a model of ONNX Runtime
 * - `speech-english.js`, the sounds of English
 *
 * Beside them are the files that they fetch. Each bundle is one self-contained file, with the licences of its contents and,
 * if it is mostly our own code, its source map beside it. Files whose inputs have not changed are not built again.
 *
 * @param files - names in `dist/lib`; default: all
 */
export async function buildLibrary(
  files: string[] = LIBRARY_FILES.map(({ file }) => file),
): Promise<void> {
  for (const { file, beside, inputs, make } of LIBRARY_FILES.filter((each) =>
    files.includes(each.file),
  )) {
    const outputs = [file, ...beside].map((each) => `dist/lib/${each}`);
    const made = await makeIfChanged({ name: file, inputs: [...TOOLS, ...inputs], outputs, make });
    if (made) process.stderr.write(`built dist/lib/${file}\n`);
  }
}
