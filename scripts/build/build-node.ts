import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { versionOnly } from './bundle-plugins.ts';
import { ROOT, makeIfChanged } from './stamp.ts';

/** The files that `package.json` names. Parts that they share, or load late, become files beside them. */
const ENTRIES = { cli: 'src/node/cli.ts', 'vite-plugin': 'src/node/vite-plugin.ts' };

/**
 * Builds `dist/node`, the command line and the Vite plugin. They contain the packages that they use: an
 * install of slashv1 brings no other package.
 */
export async function buildNode(): Promise<void> {
  await makeIfChanged({
    name: 'node',
    inputs: [
      'package.json',
      'package-lock.json',
      'scripts/build/build-node.ts',
      'src/node',
      'src/core',
      'src/engine',
    ],
    outputs: ['dist/node'],
    make: bundle,
  });
}

async function bundle(): Promise<void> {
  const dir = join(ROOT, 'dist/node');
  rmSync(dir, { recursive: true, force: true });
  // Imported here, so that a start with nothing to build does not wait for Rolldown to load.
  const { build } = await import('rolldown');
  await build({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    plugins: [versionOnly],
    output: { dir, format: 'esm', chunkFileNames: '[name].js', comments: { legal: true } },
  });
}
