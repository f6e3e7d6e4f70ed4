/**
 * `npm run docs`: builds the documentation in `dist/docs`, a site of static files that runs slashv1 itself.
 * A link to a page that does not exist is an error. `DOCS_BASE` is the folder it will be served from.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from './build/build-library.ts';
import { buildNode } from './build/build-node.ts';
import { runCommand } from './run-command.ts';
import { makeIfChanged, ROOT } from './build/stamp.ts';

/** Programs of `docs/package.json`, whose packages nothing else here needs. */
const PROGRAMS = 'docs/node_modules/.bin';
/** Folder of the files that the site serves unchanged: the files of slashv1, models, and the openai package. */
const SERVED = join(ROOT, 'dist/docs-public');

async function installPrograms(): Promise<void> {
  await makeIfChanged({
    name: 'docs/node_modules',
    inputs: ['docs/package-lock.json'],
    outputs: ['docs/node_modules'],
    make: () => succeed('npm', 'ci', '--prefix', 'docs', '--loglevel=error'),
  });
}

async function makeServed(): Promise<void> {
  await Promise.all([buildLibrary(), buildNode()]);
  rmSync(SERVED, { recursive: true, force: true });
  const own = ['tiny-chat', 'models/packs/tiny-chat-decide', 'models/packs/tiny-embed'];
  const packs = own.flatMap((pack) => ['--pack', pack]);
  await succeed('node', 'dist/node/cli.js', 'init', SERVED, ...packs, '--embeddings');
  const { build } = await import('rolldown');
  await build({
    cwd: ROOT,
    platform: 'browser',
    input: { openai: 'openai' },
    output: { dir: SERVED, minify: true },
  });
}

/** Documents what the package exports. */
async function makeReference(): Promise<void> {
  rmSync(join(ROOT, 'docs/reference'), { recursive: true, force: true });
  await succeed(join(PROGRAMS, 'typedoc'), '--options', 'docs/typedoc.json');
}

async function succeed(command: string, ...options: string[]): Promise<void> {
  const { code } = await runCommand(command, options);
  if (code !== 0) throw new Error(`${command} ${options.join(' ')} failed.`);
}

await installPrograms();
await succeed(join(PROGRAMS, 'tsc'), '-p', 'docs');
await makeServed();
await makeReference();
await succeed(join(PROGRAMS, 'vitepress'), 'build', 'docs');
