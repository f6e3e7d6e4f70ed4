import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '../../scripts/build/stamp.ts';
import { VERSION } from '../../src/core/version.ts';
import { installedProject, type Project } from './support/project.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const MAIN = `import { start, StartError, type Slashv1 } from 'slashv1';
import { configure, LanguageModel } from 'slashv1/prompt-api';
const v1: Slashv1 = await start({ onProgress: ({ model, stage }) => console.log(model, stage) });
console.log(v1.baseURL, StartError.name);
configure({ model: 'slashv1/tiny-chat', serviceWorker: false });
const session = await LanguageModel.create({
  initialPrompts: [{ role: 'system', content: 'Be brief.' }],
  monitor: (monitor) => (monitor.ondownloadprogress = ({ loaded }) => console.log(loaded)),
});
session.oncontextoverflow = () => console.log(session.contextUsage, session.contextWindow);
const answer: string = await session.prompt('Hello!', { responseConstraint: /[a-z]+/ });
for await (const piece of session.promptStreaming(answer)) console.log(piece.length);`;

const WORKER = `import { allowClaim, handle } from 'slashv1/sw';
declare const self: ServiceWorkerGlobalScope;
allowClaim();
self.addEventListener('fetch', (event) => {
  if (!handle(event)) event.respondWith(new Response('the own route'));
});`;

const CONFIG = `import { slashv1 } from 'slashv1/vite';
export default { plugins: [slashv1({ packs: ['tiny-chat'], speech: false })] };`;

let project: Project;

function tsconfig(
  file: string,
  realm: 'dom' | 'webworker',
  resolution: object = { module: 'esnext', moduleResolution: 'bundler' },
): string {
  const strict = { strict: true, noEmit: true, target: 'es2022', types: [], skipLibCheck: false };
  const compilerOptions = { ...strict, ...resolution, lib: ['es2023', realm] };
  return JSON.stringify({ compilerOptions, files: [file] });
}

beforeAll(async () => {
  project = await installedProject();
  project.write({
    'index.html': '<!doctype html><script type="module" src="./main.ts"></script>',
    'vite.config.js': CONFIG,
    'main.ts': MAIN,
  });
});

test('an install without the network brings this package and no other', () => {
  const visible = (name: string) => !name.startsWith('.');
  expect(readdirSync(join(project.folder, 'node_modules')).filter(visible)).toEqual(['slashv1']);
});

test('its command runs', async () => {
  const { code, stdout } = await project.run('npx', 'slashv1', '--version');
  expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
});

test.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('a page in TypeScript compiles with its types, resolved as %s', async (resolution, module) => {
  const options = { module, moduleResolution: resolution };
  project.write({ 'tsconfig.json': tsconfig('main.ts', 'dom', options) });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  expect(await project.run(tsc, '-p', '.')).toMatchObject({ code: 0, stdout: '' });
});

test('a service worker compiles with the types of slashv1/sw, and a bundler makes one file of it', async () => {
  project.write({ 'worker.ts': WORKER, 'tsconfig.json': tsconfig('worker.ts', 'webworker') });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  expect(await project.run(tsc, '-p', '.')).toMatchObject({ code: 0, stdout: '' });
  const { folder } = project;
  const lib = { entry: 'worker.ts', formats: ['es' as const], fileName: 'worker' };
  const options = { outDir: 'worker', emptyOutDir: true, lib };
  await build({ root: folder, configFile: false, logLevel: 'error', build: options });
  expect(readdirSync(join(folder, 'worker'))).toEqual(['worker.js']);
  expect(readFileSync(join(folder, 'worker/worker.js'), 'utf8')).not.toMatch(/\bimport\b/);
});

test('its Vite plugin puts the workers into the built site', async () => {
  const { folder } = project;
  const configFile = join(folder, 'vite.config.js');
  await build({ root: folder, configFile, logLevel: 'error', build: { target: 'es2022' } });
  const serviceWorker = readFileSync(join(folder, 'dist/sw.js'), 'utf8');
  expect(serviceWorker).toContain('{"url":"engine.js","revision":"');
  const engine = readFileSync(join(folder, 'dist/engine.js'));
  const installed = readFileSync(join(folder, 'node_modules/slashv1/dist/lib/engine.js'));
  expect(engine.equals(installed)).toBe(true);
  expect(existsSync(join(folder, 'dist/packs/tiny-chat/model.wasm'))).toBe(true);
  expect(existsSync(join(folder, 'dist/onnx.wasm'))).toBe(false);
});

test.each([
  ['slashv1', 'start'],
  ['slashv1/prompt-api', 'LanguageModel'],
  ['slashv1/connect', 'connect'],
  ['slashv1/sw', 'handle'],
  ['slashv1/check-request', 'checkRequest'],
])('a server may import %s', async (entry, name) => {
  const script = `import('${entry}').then((all) => console.log(typeof all.${name}, typeof LanguageModel))`;
  const { code, stdout } = await project.run('node', '-e', script);
  expect([code, stdout]).toEqual([0, 'function undefined\n']);
});

test.each([
  ['slashv1', 'start()', 'no_page'],
  ['slashv1/connect', 'connect(globalThis.parent)', 'no_parent'],
])('what a server calls of %s fails with a code', async (entry, call, expected) => {
  const script = `import('${entry}').then((all) => all.${call}).catch(({ code }) => console.log(code))`;
  const { code, stdout } = await project.run('node', '-e', script);
  expect([code, stdout]).toEqual([0, `${expected}\n`]);
});
