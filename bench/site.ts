import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { InlineConfig } from 'vite';
import { build } from '../scripts/build/vite-build.ts';
import { buildLibrary, llamaModules, speechRuntime } from '../scripts/build/build-library.ts';
import { ROOT, makeIfChanged } from '../scripts/build/stamp.ts';
import { slashv1 } from '../src/node/vite-plugin.ts';
import { kokoroJsModules } from './kokoro-js.ts';

/** Folder of everything that the bench serves; git ignores it. */
export const SITE = join(ROOT, '.cache/bench/site');

const PAGES = join(ROOT, 'bench/page');

/** The WebAssembly of wllama, the same for any number of threads. It is only measured, never shipped. */
const WLLAMA_WASM = join(ROOT, 'node_modules/@wllama/wllama/esm/wasm/wllama.wasm');

const COMMON = {
  configFile: false,
  root: PAGES,
  base: './',
  publicDir: false,
  envDir: false,
  logLevel: 'warn',
} satisfies InlineConfig;

/**
 * Builds the site that is measured, each side as its users would build it:
 *
 * - `slashv1/v1.html`, with service worker, engine and packs from our Vite plugin
 * - `slashv1/bare-worker.js`, a minimal service worker for the same page
 * - `direct/direct.html`, with WebLLM in `direct/worker.js`
 * - `direct/llamacpp-worker.js`, our binding of llama.cpp without the engine
 * - `direct/wllama.js` and its WebAssembly
 * - `direct/embed-worker.js`, transformers.js for embeddings
 * - `direct/hear-worker.js`, transformers.js for transcriptions
 * - `direct/speech-worker.js`, kokoro-js, if speech is measured
 * - `models/`, the same model files under the paths that WebLLM needs
 *
 * @param packs - folders of model packs
 * @param speaks - whether speech is measured
 */
export async function buildBenchSite(packs: string[], speaks: boolean): Promise<void> {
  await buildLibrary();
  await makeIfChanged({
    name: 'bench-site',
    inputs: [
      ...['package-lock.json', 'bench/site.ts', 'bench/page', 'bench/direct', 'src/node'],
      ...['src/page', 'src/core', 'src/index.ts', 'dist/lib'],
      ...packs.map((folder) => relative(ROOT, join(folder, 'manifest.json'))),
    ],
    options: [...packs, speaks],
    outputs: ['.cache/bench/site/slashv1/v1.html', '.cache/bench/site/direct/worker.js'],
    make: () => makeSite(packs, speaks),
  });
}

async function makeSite(packs: string[], speaks: boolean): Promise<void> {
  rmSync(SITE, { recursive: true, force: true });
  await buildPage('v1.html', 'slashv1', [slashv1({ packs })]);
  await buildPage('direct.html', 'direct', []);
  await buildDirect('bench/direct/bare-worker.ts', {}, 'slashv1');
  await buildDirect('bench/direct/worker.ts');
  await buildDirect('bench/direct/llamacpp-worker.ts');
  await buildDirect('bench/page/wllama.ts');
  await buildDirect('bench/direct/embed-worker.ts');
  await buildDirect('bench/direct/hear-worker.ts');
  copyFileSync(WLLAMA_WASM, join(SITE, 'direct/wllama.wasm'));
  if (speaks) {
    const modules = await kokoroJsModules(join(ROOT, '.cache'));
    await buildDirect('bench/direct/speech-worker.ts', modules);
  }
  for (const pack of packs) linkForWebLlm(pack);
}

function buildPage(input: string, folder: string, plugins: NonNullable<InlineConfig['plugins']>) {
  return build({
    ...COMMON,
    plugins,
    build: {
      target: 'es2022',
      outDir: join(SITE, folder),
      emptyOutDir: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(PAGES, input) },
    },
  });
}

/** Builds one minified module below this folder, as `engine.js` and `onnx.js` are built. */
function buildDirect(entry: string, modules: Record<string, string> = {}, folder = 'direct') {
  const { alias, plugin, json } = speechRuntime();
  return build({
    ...COMMON,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { ...alias, ...modules } },
    plugins: [plugin, llamaModules],
    json,
    build: {
      target: 'es2022',
      outDir: join(SITE, folder),
      emptyOutDir: false,
      minify: true,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      lib: {
        entry: join(ROOT, entry),
        formats: ['es'],
        fileName: () => `${basename(entry, '.ts')}.js`,
      },
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
}

/** WebLLM appends `resolve/main/` to the URL of a model that does not contain it. */
function linkForWebLlm(pack: string): void {
  const folder = join(SITE, 'models', basename(pack), 'resolve');
  mkdirSync(folder, { recursive: true });
  symlinkSync(pack, join(folder, 'main'));
}
