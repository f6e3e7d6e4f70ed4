import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { slashv1 } from '../../src/node/vite-plugin.ts';
import { versionOnly } from './bundle-plugins.ts';
import { buildLibrary } from './build-library.ts';
import { ROOT, makeIfChanged } from './stamp.ts';
import { build } from './vite-build.ts';

/** The default folder of `buildSite`. */
export const SITE = join(ROOT, 'dist/site');

/**
 * Few visitors have a PDF read or a diagram drawn, and what does that is more than half a megabyte each. Only browsers
 * look at the pictures of the manifest.
 */
const RARE = /pdf-worker|mermaid|screenshot/;

const SOURCES = [
  'package-lock.json',
  'package.json',
  'scripts/build/build-site.ts',
  'index.html',
  'public',
  'src',
  'dist/lib',
];

export interface SiteOptions {
  /** Folders of model packs, relative to the repository; the first is the default model. */
  packs: string[];
  /** Where the site is written; default: `SITE`. */
  folder?: string;
}

async function makeSite(packs: string[], folder: string): Promise<void> {
  // Built in a new folder and then exchanged, so that a running server is without files only for a moment.
  const outDir = `${folder}.new`;
  const old = `${folder}.old`;
  try {
    await build({
      configFile: false,
      root: ROOT,
      // URLs are relative, so that the files work under any sub-path.
      base: './',
      envDir: false,
      logLevel: 'warn',
      plugins: [versionOnly, slashv1({ packs, pdf: true, precache: (file) => !RARE.test(file) })],
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        // What the page needs at once is one file: many small ones are fetched one by one, and compress less.
        rolldownOptions: {
          output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } },
        },
      },
    });
    rmSync(old, { recursive: true, force: true });
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(outDir, folder);
  } finally {
    for (const leftover of [outDir, old]) rmSync(leftover, { recursive: true, force: true });
  }
}

/** Builds the console with its workers and packs, for any static host. */
export async function buildSite({ packs, folder = SITE }: SiteOptions): Promise<void> {
  await buildLibrary();
  const name = relative(ROOT, folder);
  const folders = packs.map((pack) => resolve(ROOT, pack));
  if (!existsSync(join(ROOT, 'index.html'))) throw new Error('index.html is missing.');
  const made = await makeIfChanged({
    name: name.replaceAll(/[/.]/g, '-'),
    // A manifest has the hashes of its pack's files, so it changes with any of them.
    inputs: [...SOURCES, ...folders.map((pack) => relative(ROOT, join(pack, 'manifest.json')))],
    options: folders.map((pack) => relative(ROOT, pack)),
    outputs: [join(name, 'index.html'), join(name, 'sw.js')],
    make: () => makeSite(folders, folder),
  });
  if (made) process.stderr.write(`built ${name}\n`);
}
