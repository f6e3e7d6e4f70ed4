import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { slashv1 } from '../src/node/vite-plugin.ts';
import { buildLibrary } from './build-library.ts';
import { ROOT, makeIfChanged } from './stamp.ts';

/** Where `buildSite` leaves the site. */
export const SITE = join(ROOT, 'dist/site');

const SOURCES = [
  'package-lock.json',
  'scripts/build-site.ts',
  'index.html',
  'public',
  'src',
  'dist/lib',
];

export interface SiteOptions {
  /** Folders of model packs, relative to the repository; the first is the default model. */
  packs: string[];
}

async function makeSite(packs: string[]): Promise<void> {
  // Built beside the old one, so that a server of it is without files for a moment only.
  const outDir = `${SITE}.${process.pid}`;
  try {
    await build({
      configFile: false,
      root: ROOT,
      // The same files work under any sub-path.
      base: './',
      envDir: false,
      logLevel: 'warn',
      plugins: [slashv1({ packs })],
      build: { outDir, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
    });
    rmSync(SITE, { recursive: true, force: true });
    renameSync(outDir, SITE);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** `dist/site`: the console with its workers and packs, to be put on any static host. */
export async function buildSite({ packs }: SiteOptions): Promise<void> {
  await buildLibrary();
  const folders = packs.map((pack) => resolve(ROOT, pack));
  if (!existsSync(join(ROOT, 'index.html'))) throw new Error('index.html is missing.');
  const made = await makeIfChanged({
    name: 'site',
    // A pack's manifest changes with any byte of it.
    inputs: [...SOURCES, ...folders.map((folder) => relative(ROOT, join(folder, 'manifest.json')))],
    options: folders.map((folder) => relative(ROOT, folder)),
    outputs: ['dist/site/index.html', 'dist/site/sw.js'],
    make: () => makeSite(folders),
  });
  if (made) process.stderr.write('built dist/site\n');
}
