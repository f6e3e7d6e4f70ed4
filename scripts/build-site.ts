import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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
  // Only here: a start that has nothing to build does not wait for Vite to load.
  const { build } = await import('vite');
  // Built beside the old one and exchanged, so that a server of it is never without files for long.
  const outDir = `${SITE}.new`;
  const old = `${SITE}.old`;
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
    rmSync(old, { recursive: true, force: true });
    if (existsSync(SITE)) renameSync(SITE, old);
    renameSync(outDir, SITE);
  } finally {
    for (const left of [outDir, old]) rmSync(left, { recursive: true, force: true });
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
