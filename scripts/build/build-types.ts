import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, makeIfChanged } from './stamp.ts';

const FOLDER = 'dist/types';
/** Where the compiler puts the declarations of all files. Most of them are not published. */
const ALL = 'dist/.declarations';

/** The declarations that `package.json` names, and the projects that they are in. */
const ENTRIES = {
  'src/index.d.ts': 'src/page',
  'src/prompt-api/index.d.ts': 'src/prompt-api',
  'src/page/frame/connect.d.ts': 'src/page',
  'src/node/vite-plugin.d.ts': 'src/node',
  'sw/handle.d.ts': 'sw',
  'sw/checking/index.d.ts': 'sw',
};

const RELATIVE_IMPORT = /(from ['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g;

function tsc(project: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const folders = ['--rootDir', '.', '--outDir', ALL];
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', `${project}/tsconfig.json`, ...options, ...folders],
    { cwd: ROOT, stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) throw new Error(`tsc failed on ${project}.`);
}

/** Copies a declaration and all that it imports. Older compilers do not resolve imports of `.ts`. */
function copy(file: string, copied: Set<string>): void {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(join(ROOT, ALL, file), 'utf8');
  const target = join(ROOT, FOLDER, file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replaceAll(RELATIVE_IMPORT, '$1$2.js$3'));
  for (const [, , path] of text.matchAll(RELATIVE_IMPORT)) {
    copy(join(dirname(file), `${path}.d.ts`), copied);
  }
}

function makeTypes(): Promise<void> {
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  const copied = new Set<string>();
  for (const [file, project] of Object.entries(ENTRIES)) {
    tsc(project);
    copy(file, copied);
  }
  rmSync(join(ROOT, ALL), { recursive: true });
  return Promise.resolve();
}

/**
 * Builds `dist/types`: the declarations of the page library, of `slashv1/prompt-api`, of `slashv1/sw`, of
 * `slashv1/check-request` and of the Vite plugin.
 */
export async function buildTypes(): Promise<void> {
  await makeIfChanged({
    name: 'types',
    inputs: [
      ...['package-lock.json', 'tsconfig.base.json', 'scripts/build/build-types.ts'],
      ...['src/index.ts', 'src/page', 'src/prompt-api', 'src/core', 'src/node', 'sw'],
    ],
    outputs: [FOLDER],
    make: makeTypes,
  });
}
