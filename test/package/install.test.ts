import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '../../scripts/stamp.ts';
import { VERSION } from '../../src/core/version.ts';
import { installedProject, type Project } from './support/project.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const MAIN = `import { start, StartError, type Slashv1 } from 'slashv1';
const v1: Slashv1 = await start({ onProgress: ({ model, stage }) => console.log(model, stage) });
console.log(v1.baseURL, StartError.name);`;

const CONFIG = `import { slashv1 } from 'slashv1/vite';
export default { plugins: [slashv1({ packs: ['tiny-chat'], speech: false })] };`;

let project: Project;

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
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', types: [], skipLibCheck: false },
    ...{ module, moduleResolution: resolution, lib: ['es2023', 'dom'] },
  };
  project.write({ 'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }) });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  expect(await project.run(tsc, '-p', '.')).toMatchObject({ code: 0, stdout: '' });
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
  expect(existsSync(join(folder, 'dist/speech.wasm'))).toBe(false);
});

test('a server may import it', async () => {
  const script = "import('slashv1').then(({ start }) => console.log(typeof start))";
  expect(await project.run('node', '-e', script)).toMatchObject({ code: 0, stdout: 'function\n' });
});
