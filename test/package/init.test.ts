import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { VERSION } from '../../src/core/version.ts';
import { ggufBytes } from '../support/gguf/gguf-bytes.ts';
import { ggufTensors, METADATA } from '../unit/node/pack/tiny-llama.ts';
import { installedProject, type Project } from './support/project.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let project: Project;

const init = (...args: string[]) => project.run('npx', 'slashv1', 'init', ...args);
const path = (name: string) => join(project.folder, name);
const read = (name: string) => readFileSync(path(name), 'utf8');
const has = (name: string) => existsSync(path(name));

function writeGguf(name: string): void {
  const fields = {
    'general.name': { string: 'Tiny' },
    'general.license': { string: 'mit' },
  };
  writeFileSync(path(name), ggufBytes({ ...METADATA, ...fields }, ggufTensors()));
}

beforeAll(async () => {
  project = await installedProject();
});

beforeEach(() => {
  for (const name of ['public', 'static', 'site'])
    rmSync(path(name), { recursive: true, force: true });
  project.write({ 'package.json': '{\n    "name": "a-site"\n}\n' });
});

test('without a terminal and without options, a site gets text on both engines and tiny-chat', async () => {
  const { code, stdout } = await init();
  expect([code, stdout]).toEqual([
    0,
    `public has slashv1 ${VERSION}: text on the GPU, text on the CPU. Models: tiny-chat.\n`,
  ]);
  for (const file of ['slashv1.js', 'sw.js', 'engine.js', 'llamacpp.wasm']) {
    expect(read(`public/${file}`)).toBe(read(`node_modules/slashv1/dist/lib/${file}`));
  }
  expect(JSON.parse(read('public/packs/index.json'))).toEqual({
    packs: ['tiny-chat/'],
    manifests: {
      'tiny-chat/': JSON.parse(read('public/packs/tiny-chat/manifest.json')) as unknown,
    },
  });
  expect(has('public/packs/tiny-chat/model.wasm')).toBe(true);
  expect(has('public/onnx.wasm')).toBe(false);
  expect(read('package.json')).toBe('{\n    "name": "a-site"\n}\n');
});

test('only the parts that are asked for are copied', async () => {
  await init('static', '--speech', '--no-llamacpp', '--no-webllm', '--no-pack');
  expect([has('static/onnx.wasm'), has('static/llamacpp.js')]).toEqual([true, false]);
  expect([has('static/engine.js'), has('static/api.js')]).toEqual([true, true]);
  expect(has('static/webllm.js')).toBe(false);
  expect(has('static/speech-english.js')).toBe(true);
  expect(has('static/files-pdf.js')).toBe(false);
  await init('other', '--embeddings', '--pdf', '--no-pack');
  expect([has('other/onnx.wasm'), has('other/speech-english.js')]).toEqual([true, false]);
  expect(has('other/files-pdf.js')).toBe(true);
  expect(JSON.parse(read('static/packs/index.json'))).toEqual({ packs: [], manifests: {} });
});

test('files of parts that are no longer chosen are removed, and no others', async () => {
  await init('static', '--speech', '--no-pack');
  const older = '/*! slashv1 0.0.1 */\nold();';
  project.write({ 'static/speech-english.js': older, 'static/onnx.js': older });
  project.write({ 'static/llamacpp.js': 'mine();', 'static/mine.js': older });
  const checked = await init('static', '--no-speech', '--no-llamacpp', '--no-pack', '--check');
  expect([checked.code, checked.stderr]).toEqual([
    1,
    expect.stringContaining('onnx.wasm is not used; '),
  ]);
  expect(has('static/onnx.wasm')).toBe(true);
  await init('static', '--no-speech', '--no-llamacpp', '--no-pack');
  const gone = ['onnx.wasm', 'onnx-gpu.js', 'speech-english.js', 'llamacpp.wasm'];
  expect(gone.filter((file) => has(`static/${file}`))).toEqual([]);
  // A site may have a script of that name, even one that begins with our note: it may be bundled with us.
  const kept = ['llamacpp.js', 'mine.js', 'onnx.js', 'sw.js', 'webllm.js', 'engine.js', 'api.js'];
  expect(kept.filter((file) => !has(`static/${file}`))).toEqual([]);
});

test('the choices are saved, and the next init and check need no options', async () => {
  await init('static', '--no-llamacpp', '--save');
  const slashv1 = {
    folder: 'static',
    packs: ['tiny-chat'],
    speech: false,
    embeddings: false,
    webllm: true,
    llamacpp: false,
    llamacppGpu: true,
    pdf: false,
    sw: true,
  };
  expect(read('package.json')).toBe(`${JSON.stringify({ name: 'a-site', slashv1 }, null, 4)}\n`);
  rmSync(path('static'), { recursive: true });
  expect(await init('--check')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sw.js is missing'),
  });
  expect(await init()).toMatchObject({ code: 0 });
  expect([has('static/sw.js'), has('static/packs/tiny-chat/manifest.json')]).toEqual([true, true]);
  expect(await init('--check')).toMatchObject({ code: 0 });
});

test.each([
  ['sw.js', '/*! slashv1 0.1.9 */\n', 'sw.js is of slashv1 0.1.9'],
  ['engine.js', '', 'engine.js was changed'],
  ['packs/tiny-chat/tokenizer.json', '{}', 'tokenizer.json has 2 bytes'],
  ['packs/tiny-chat/manifest.json', '{', 'is not a manifest'],
  ['packs/index.json', '{', 'packs/index.json does not list the packs'],
])(
  'a check finds a file that is out of date, and init mends it: %s',
  async (file, content, problem) => {
    await init();
    project.write({ [`public/${file}`]: content });
    const { code, stderr } = await init('--check');
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(read(`public/${file}`)).toBe(content);
    expect(await init()).toMatchObject({ code: 0 });
    expect(await init('--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(VERSION),
    });
  },
);

test('a service worker of the site itself is not replaced', async () => {
  project.write({ 'public/sw.js': 'self.addEventListener("push", () => {});' });
  const { code, stderr } = await init();
  expect([code, stderr]).toEqual([1, expect.stringContaining('public/sw.js is not of slashv1')]);
  expect(stderr).toMatch(/handle\(\) of slashv1\/sw.*--no-sw/s);
  expect([has('public/engine.js'), has('public/packs')]).toEqual([false, false]);
  expect(await init('--no-sw')).toMatchObject({ code: 0 });
  expect(read('public/sw.js')).toContain('push');
  const script = 'public/slashv1-sw.js';
  expect(read(script)).toBe(read('node_modules/slashv1/dist/lib/slashv1-sw.js'));
  expect(await init('--no-sw', '--check')).toMatchObject({ code: 0 });
});

test('a GGUF file becomes a pack, and packs that are there keep their place', async () => {
  writeGguf('my model.gguf');
  await init('site', '--pack', 'my model.gguf', '--pack', 'tiny-chat');
  const index = { packs: ['my model/', 'tiny-chat/'] };
  expect(JSON.parse(read('site/packs/index.json'))).toMatchObject(index);
  await init('site');
  expect(JSON.parse(read('site/packs/index.json'))).toMatchObject(index);
});

test('a folder of a pack is copied, with the files of its manifest only', async () => {
  await init('site');
  project.write({ 'site/packs/tiny-chat/notes.txt': 'mine' });
  await init('public', '--pack', 'site/packs/tiny-chat');
  expect([
    has('public/packs/tiny-chat/model.wasm'),
    has('public/packs/tiny-chat/notes.txt'),
  ]).toEqual([...[true, false]]);
});

test.each([
  [['--pack', 'nowhere'], 1, 'There is no file or folder nowhere, and no pack of that name.'],
  [['a', 'b'], 2, 'Only one folder can be set up: b.'],
  [['--speech', '--no-speech'], 2, '--speech and --no-speech exclude each other.'],
  [['--pack', 'tiny-chat', '--no-pack'], 2, '--pack and --no-pack exclude each other.'],
  [['--check', '--save'], 2, '--check changes nothing'],
  [['--what'], 2, "Unknown option '--what'"],
])('%j is an error', async (args, code, message) => {
  expect(await init(...args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});

test.each([
  ['{', 'package.json is not valid JSON.'],
  ['{ "slashv1": { "folder": 3 } }', 'slashv1.folder: Invalid type'],
])('a package.json that cannot be read is named: %s', async (content, message) => {
  project.write({ 'package.json': content });
  const end = await init();
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(has('public')).toBe(false);
});

test('pack puts a pack into the folder of packs and lists it behind the others', async () => {
  await init('site');
  writeGguf('other.gguf');
  const { code, stdout } = await project.run('npx', 'slashv1', 'pack', 'other.gguf', 'site/packs');
  expect([code, stdout]).toEqual([0, expect.stringContaining('site/packs has tiny-chat, other\n')]);
  expect(JSON.parse(read('site/packs/index.json'))).toMatchObject({
    packs: ['tiny-chat/', 'other/'],
    manifests: { 'tiny-chat/': {}, 'other/': {} },
  });
});

test('with the speech model come the files of speech', async () => {
  const end = await init('site', '--pack', 'kokoro', '--check');
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('onnx.wasm is missing') });
});
