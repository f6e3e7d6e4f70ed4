import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildLibrary, buildNode, buildTypes } from '../../../scripts/build-library.ts';
import { runCommand } from '../../../scripts/run-command.ts';
import { ROOT } from '../../../scripts/stamp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A user's project, in which `slashv1` is this repository as it would be published. */
const project = temporaryFolder(afterAll);

const CONFIG = `import { slashv1 } from 'slashv1/vite';
export default { plugins: [slashv1()] };`;

const MAIN = `import { start, StartError, type Slashv1 } from 'slashv1';
const v1: Slashv1 = await start({ onProgress: ({ model, stage }) => console.log(model, stage) });
console.log(v1.baseURL, StartError.name);`;

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
    ...{ moduleResolution: 'bundler', lib: ['es2023', 'dom'], skipLibCheck: false },
  },
  files: ['main.ts'],
};

beforeAll(async () => {
  for (const part of [buildLibrary, buildTypes, buildNode]) await part();
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(ROOT, join(project, 'node_modules/slashv1'));
  const files = {
    'index.html': '<!doctype html><script type="module" src="./main.ts"></script>',
    'vite.config.mjs': CONFIG,
    'main.ts': MAIN,
    'tsconfig.json': JSON.stringify(TSCONFIG),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
}, 120_000);

test('a page written in TypeScript compiles with its types', async () => {
  const end = await runCommand('tsc', ['-p', project], { quiet: true });
  expect(end).toMatchObject({ code: 0, output: '' });
}, 60_000);

test('its Vite plugin puts the workers into the built site', async () => {
  const configFile = join(project, 'vite.config.mjs');
  await build({ root: project, configFile, logLevel: 'error', build: { target: 'es2022' } });
  const serviceWorker = readFileSync(join(project, 'dist/sw.js'), 'utf8');
  expect(serviceWorker).toContain('{"url":"engine.js","revision":"');
  const engine = readFileSync(join(project, 'dist/engine.js'));
  expect(engine.equals(readFileSync(join(ROOT, 'dist/lib/engine.js')))).toBe(true);
});

test('its command runs', async () => {
  const command = join(ROOT, 'dist/node/cli.js');
  const { code, output } = await runCommand('node', [command, '--version'], { quiet: true });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
