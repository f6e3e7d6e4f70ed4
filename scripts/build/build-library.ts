import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ONNX_THREAD } from '../../src/core/site/onnx-files.ts';
import { END_NOTE, VERSION_NOTE } from '../../src/core/version.ts';
import { smallest, type Code } from './bundle-code.ts';
import { mapOfOwnSources } from './own-source-map.ts';
import { versionOnly } from './bundle-plugins.ts';
import { BUNDLES, COPIES, PLAIN, type Bundle, type Runtime } from './library-files.ts';
import { ROOT, makeIfChanged } from './stamp.ts';
import { build } from './vite-build.ts';

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
  'scripts/build/build-library.ts',
  'scripts/build/library-files.ts',
  'scripts/build/bundle-code.ts',
  'scripts/build/bundle-plugins.ts',
  'scripts/build/own-source-map.ts',
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
  const isMapped = bundle.sourceMap !== 'none';
  const its = bundle.sourceMap === 'own sources' ? mapOfOwnSources(map) : map;
  writeLibraryFile(bundle.file, isMapped ? mapped(bundle.file, code) : code);
  if (isMapped) writeLibraryFile(mapOf(bundle.file), belowNote(its));
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
    beside: [noticesOf(bundle), ...(bundle.sourceMap === 'none' ? [] : [mapOf(bundle.file)])],
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
 * - `outlive.js`, for pages whose engine outlives them
 * - `built-in.js`, the browser's own model
 * - `engine.js`, the engine worker
 * - `webllm.js`, WebLLM
 * - `llamacpp.js`, the worker of a llama.cpp model
 * - `onnx.js` and `onnx-gpu.js`, the worker of a model of ONNX Runtime
 * - `speech-english.js`, the sounds of English
 * - `files-pdf.js`, the worker that reads stored PDFs
 * - `mcp.js`, the client of MCP servers
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
