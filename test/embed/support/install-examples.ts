import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../../scripts/build/stamp.ts';
import { setup as pack } from '../../package/support/pack-once.ts';
import { runIn } from '../../package/support/run-in.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A copy of `examples/`, in which the packages that they name are installed. */
    examples: string;
  }
}

/** Files that the examples make themselves. */
const MADE = new Set([
  'node_modules',
  'dist',
  'build',
  '.next',
  '.svelte-kit',
  '.astro',
  '.nuxt',
  '.output',
  '.angular',
]);

/** The example with `overrides`, which npm takes from no member of a workspace. */
const APART = 'nuxt';

/**
 * Packs this repository, and installs the package and those of the registry that the examples name: once for nearly all
 * of them, as npm's workspaces, since most examples use the same. Their scripts do not run.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const removePackage = await pack(project);
  const { tarball } = project.getProvidedContext();
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-examples-'));
  const filter = (path: string) => !MADE.has(basename(path));
  cpSync(join(ROOT, 'examples'), folder, { recursive: true, filter });
  const dependencies = { slashv1: `file:${tarball}` };
  const manifest = { private: true, workspaces: ['*', `!${APART}`], dependencies };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, overrides: { slashv1: '$slashv1' } }),
  );
  const own = join(folder, APART, 'package.json');
  writeFileSync(
    own,
    readFileSync(own, 'utf8').replace('"latest"', JSON.stringify(`file:${tarball}`)),
  );
  for (const root of [folder, join(folder, APART)]) await install(root);
  project.provide('examples', folder);
  return () => {
    removePackage();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

async function install(folder: string): Promise<void> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', '--ignore-scripts', ...quiet];
  const { code, stdout, stderr } = await runIn(folder, 'npm', args);
  if (code !== 0) throw new Error(`npm install failed:\n${stdout}\n${stderr}`);
}
