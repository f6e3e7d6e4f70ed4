import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, makeIfChanged } from './stamp.ts';

/** One file of `dist/lib`. */
interface Bundle {
  file: string;
  entry: string;
  /** A service worker is a classic script; the others are modules. */
  format: 'es' | 'iife';
  /** Folders whose sources may end up in it. */
  inputs: string[];
}

const BUNDLES: Bundle[] = [
  { file: 'slashv1.js', entry: 'src/index.ts', format: 'es', inputs: ['src/page', 'src/core'] },
  { file: 'sw.js', entry: 'sw/sw.ts', format: 'iife', inputs: ['sw', 'src/core'] },
  {
    file: 'engine.js',
    entry: 'src/engine/worker.ts',
    format: 'es',
    inputs: ['src/engine', 'src/core'],
  },
];

const TOOLS = ['package-lock.json', 'tsconfig.base.json', 'scripts/build-library.ts'];

/** The code of the one chunk that the entry and all it imports become. */
async function bundleToString({ entry, format, file }: Bundle): Promise<string> {
  // Only here: a start that has nothing to build does not wait for Vite to load.
  const { build } = await import('vite');
  const result = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    envDir: false,
    logLevel: 'warn',
    // Library mode leaves it to the next bundler, but these files have none after this.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      lib: { entry, formats: [format], name: 'slashv1', fileName: () => file },
      // Library mode keeps white space in ES modules unless it is told here.
      rolldownOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const [chunk, ...others] = outputs;
  if (chunk?.type !== 'chunk' || others.length > 0) {
    throw new Error(`${file} must be one file, but ${entry} became ${outputs.length}.`);
  }
  return chunk.code;
}

/** Writes beside the old file and renames, so that a server never sends half of one. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

async function makeBundle(bundle: Bundle): Promise<void> {
  if (!existsSync(join(ROOT, bundle.entry))) throw new Error(`${bundle.entry} is missing.`);
  replaceFile(join(ROOT, 'dist/lib', bundle.file), await bundleToString(bundle));
}

/**
 * `dist/lib`: `slashv1.js` (page library), `sw.js` (service worker) and `engine.js` (engine worker),
 * each one self-contained file; all of them, or those named. What has not changed is not built again.
 */
export async function buildLibrary(
  files: string[] = BUNDLES.map(({ file }) => file),
): Promise<void> {
  for (const bundle of BUNDLES.filter(({ file }) => files.includes(file))) {
    const made = await makeIfChanged({
      name: bundle.file,
      inputs: [...TOOLS, bundle.entry, ...bundle.inputs],
      outputs: [`dist/lib/${bundle.file}`],
      make: () => makeBundle(bundle),
    });
    if (made) process.stderr.write(`built dist/lib/${bundle.file}\n`);
  }
}

function tsc(project: string, options: string[]): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const common = ['--noEmit', 'false', '--declaration', '--rootDir', 'src'];
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, ...common, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`tsc failed on ${project}.`);
}

async function emit(folders: string[], project: string, options: string[]): Promise<void> {
  for (const folder of folders) rmSync(join(ROOT, folder), { recursive: true, force: true });
  tsc(project, options);
}

/** `dist/types`: declarations of the page library. */
export async function buildTypes(): Promise<void> {
  const outDir = 'dist/types';
  await makeIfChanged({
    name: 'types',
    inputs: [...TOOLS, 'src/index.ts', 'src/page', 'src/core'],
    outputs: [outDir],
    make: () =>
      emit([outDir], 'src/page/tsconfig.json', ['--emitDeclarationOnly', '--outDir', outDir]),
  });
}

/** `dist/node` (command line and Vite plugin) and the part of `dist/core` that it imports. */
export async function buildNode(): Promise<void> {
  await makeIfChanged({
    name: 'node',
    inputs: [...TOOLS, 'src/node', 'src/core'],
    outputs: ['dist/node', 'dist/core'],
    make: () => emit(['dist/node', 'dist/core'], 'src/node/tsconfig.json', ['--outDir', 'dist']),
  });
}
