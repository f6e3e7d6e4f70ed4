import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { buildLibrary } from '../scripts/build-library.ts';
import { ROOT, makeIfChanged } from '../scripts/stamp.ts';
import { slashv1 } from '../src/node/vite-plugin.ts';

/** Of all the bench serves; ignored by git. */
export const SITE = join(ROOT, '.cache/bench/site');

const PAGES = join(ROOT, 'bench/page');

const COMMON = {
  configFile: false,
  root: PAGES,
  base: './',
  publicDir: false,
  envDir: false,
  logLevel: 'warn',
} satisfies InlineConfig;

/**
 * The site under measurement, each side as its users would build it: `slashv1/v1.html` with service
 * worker, engine and packs from our Vite plugin; `direct/direct.html` with WebLLM in `direct/worker.js`;
 * and the same model files for WebLLM, in the paths it insists on, under `models/`.
 *
 * @param packs - folders of model packs
 */
export async function buildBenchSite(packs: string[]): Promise<void> {
  await buildLibrary();
  await makeIfChanged({
    name: 'bench-site',
    inputs: [
      ...['package-lock.json', 'bench/site.ts', 'bench/page', 'bench/direct', 'src/node'],
      ...['src/page', 'src/core', 'src/index.ts', 'dist/lib'],
      ...packs.map((folder) => relative(ROOT, join(folder, 'manifest.json'))),
    ],
    options: packs,
    outputs: ['.cache/bench/site/slashv1/v1.html', '.cache/bench/site/direct/worker.js'],
    make: () => makeSite(packs),
  });
}

async function makeSite(packs: string[]): Promise<void> {
  rmSync(SITE, { recursive: true, force: true });
  await buildPage('v1.html', 'slashv1', [slashv1({ packs })]);
  await buildPage('direct.html', 'direct', []);
  await buildDirectWorker();
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

/** As `engine.js` is built: one module, minified. */
function buildDirectWorker() {
  return build({
    ...COMMON,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir: join(SITE, 'direct'),
      emptyOutDir: false,
      minify: true,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      lib: {
        entry: join(ROOT, 'bench/direct/worker.ts'),
        formats: ['es'],
        fileName: () => 'worker.js',
      },
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
}

/** WebLLM appends `resolve/main/` to any model's address that does not hold it. */
function linkForWebLlm(pack: string): void {
  const folder = join(SITE, 'models', basename(pack), 'resolve');
  mkdirSync(folder, { recursive: true });
  symlinkSync(pack, join(folder, 'main'));
}
