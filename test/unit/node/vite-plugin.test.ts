import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, createServer, type Plugin } from 'vite';
import { beforeEach, expect, test } from 'vitest';
import { bothEngines, GGUF_VARIANT, MLC_VARIANT } from '../support/pack-manifests.ts';
import { freshSite, inline, precached, read, root, write, writePack } from './vite-site.ts';

beforeEach(freshSite);

test('precaches neither dot files, such as the manifest of Vite, nor files that are not in the site', async () => {
  write('public/.well-known/data.json', '{}');
  write('public/moved.html', 'elsewhere');
  const moving = {
    name: 'moving',
    writeBundle: () => rmSync(join(root, 'dist/moved.html')),
  };
  const { plugins, ...options } = inline({});
  await build({ ...options, plugins: [moving, ...plugins], build: { manifest: true } });
  expect(read('dist/.vite/manifest.json')).toContain('index.html');
  const urls = precached().map(({ url }) => url);
  expect(urls.filter((url) => url.startsWith('.') || url === 'moved.html')).toEqual([]);
  expect(urls).toContain('index.html');
});

test('writes into the folder of the environment, which frameworks may choose', async () => {
  const { environments, ...options } = { ...inline({}), environments: {} };
  const client = { build: { outDir: 'output/client' } };
  await build({ ...options, environments: { ...environments, client } });
  expect(readdirSync(join(root, 'output/client'))).toContain('sw.js');
});

test.each([
  ['./', 'new URL(`.`,new URL(`../engine.js`,import.meta.url).href)'],
  ['/app/', '`/app/`'],
  ['https://cdn/', 'void 0'],
])('tells start() the folder of the site, if its base is %s', async (base, expected) => {
  write('node_modules/slashv1/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/slashv1/index.js', 'export const start = (o) => console.log(o);');
  write('main.js', 'import { start } from "slashv1"; start({ model: "m" });');
  await build({ ...inline({}), base, build: { modulePreload: false } });
  const [script = ''] = readdirSync(join(root, 'dist/assets'));
  const text = read(`dist/assets/${script}`);
  expect(text).toContain(`??${expected}`);
});

test('copies the files of llama.cpp and does not precache them', async () => {
  await build(inline({}));
  expect([read('dist/llamacpp.js'), read('dist/llamacpp.wasm')]).toEqual([
    ...['llama()', 'wasm of llama.cpp'],
  ]);
  expect(read('dist/llamacpp-threads.js')).toBe('llamas()');
  expect(read('dist/llamacpp-threads.wasm')).toBe('wasm with threads');
  expect(read('dist/llamacpp-gpu.wasm')).toBe('wasm for GPUs');
  expect(precached().filter(({ url }) => url.startsWith('llamacpp'))).toEqual([]);
});

test('leaves out the files of llama.cpp for GPUs alone', async () => {
  await build(inline({ llamacppGpu: false }));
  const copied = readdirSync(join(root, 'dist')).filter((file) => file.startsWith('llamacpp'));
  expect(copied.filter((file) => file.startsWith('llamacpp-gpu'))).toEqual([]);
  expect(copied).toContain('llamacpp.wasm');
});

test('copies the source maps that the library has, and does not precache them', async () => {
  write('library/engine.js.map', '{}');
  write('library/sw.js.map', '{}');
  await build(inline({}));
  expect([read('dist/engine.js.map'), read('dist/sw.js.map')]).toEqual(['{}', '{}']);
  expect(precached().filter(({ url }) => url.endsWith('.map'))).toEqual([]);
});

test('copies WebLLM and does not precache it', async () => {
  await build(inline({}));
  expect(read('dist/webllm.js')).toBe('webllm()');
  expect(precached().filter(({ url }) => url.startsWith('webllm'))).toEqual([]);
});

test('copies the speech files and does not precache them', async () => {
  await build(inline({}));
  expect([read('dist/onnx.js'), read('dist/onnx.wasm')]).toEqual(['speech()', 'wasm']);
  expect(read('dist/onnx-gpu.js')).toBe('speechOnGpu()');
  expect(read('dist/onnx-thread.js')).toBe('thread()');
  expect(read('dist/onnx-gpu.wasm')).toBe('wasm with WebGPU');
  expect(precached().filter(({ url }) => url.startsWith('speech'))).toEqual([]);
});

test('copies the client of MCP servers and does not precache it', async () => {
  await build(inline({}));
  expect(read('dist/mcp.js')).toBe('mcp()');
  expect(precached().map(({ url }) => url)).not.toContain('mcp.js');
});

test('copies the reader of PDFs only if the site wants it, and does not precache it', async () => {
  await build(inline({}));
  expect(readdirSync(join(root, 'dist'))).not.toContain('files-pdf.js');
  await build(inline({ pdf: true }));
  expect(read('dist/files-pdf.js')).toBe('pdf()');
  expect(precached().filter(({ url }) => url.startsWith('files'))).toEqual([]);
});

test('leaves out the files of parts that the site does not use', async () => {
  await build(inline({ speech: false, webllm: false, llamacpp: false }));
  const library = readdirSync(join(root, 'library'));
  const copied = readdirSync(join(root, 'dist')).filter((file) => library.includes(file));
  const always = [
    'api.js',
    'built-in.js',
    'engine.js',
    'mcp.js',
    'outlive.js',
    'sw-api.js',
    'sw.js',
  ];
  expect(copied.toSorted()).toEqual(always);
});

test('leaves the service worker to the site, with the script that a classic one imports', async () => {
  write('public/sw.js', "the site's own");
  await build(inline({ sw: false }));
  expect([read('dist/sw.js'), read('dist/slashv1-sw.js')]).toEqual(["the site's own", 'handle()']);
});

test('precaches nothing if the user turns it off', async () => {
  await build(inline({ precache: false }));
  expect(precached()).toEqual([]);
});

test('copies the files of each pack and lists the packs, default first', async () => {
  await build(inline({ packs: ['models/tiny', 'models/other'] }));
  const manifestOf = (name: string): unknown =>
    JSON.parse(read(`dist/packs/${name}/manifest.json`));
  expect(JSON.parse(read('dist/packs/index.json'))).toEqual({
    packs: ['tiny/', 'other/'],
    manifests: { 'tiny/': manifestOf('tiny'), 'other/': manifestOf('other') },
  });
  expect(readdirSync(join(root, 'dist/packs/tiny')).sort()).toEqual([
    'library.wasm',
    'manifest.json',
    'weights',
  ]);
  expect(read('dist/packs/other/weights/0.bin')).toBe('weights');
});

test('serves the files of all variants', async () => {
  const file = (path: string, size: number) => ({ path, size });
  const gguf = { ...GGUF_VARIANT, files: [file('model.gguf', 4)] };
  const mlc = { ...MLC_VARIANT, files: [file('model.wasm', 4), file('shared.json', 2)] };
  const shared = { ...gguf, quantization: 'Q8_0', files: [...gguf.files, file('shared.json', 2)] };
  const both = { ...bothEngines('test/both'), variants: [mlc, gguf, shared] };
  write('models/both/manifest.json', JSON.stringify(both));
  write('models/both/model.wasm', '\0asm');
  write('models/both/shared.json', '{}');
  write('models/both/model.gguf', 'GGUF');
  write('models/new/manifest.json', JSON.stringify({ ...both, variants: [gguf] }));
  write('models/new/model.gguf', 'GGUF');
  await build(inline({ packs: ['models/new', 'models/both'] }));
  const files = ['manifest.json', 'model.gguf', 'model.wasm', 'shared.json'];
  expect(readdirSync(join(root, 'dist/packs/both')).toSorted()).toEqual(files);
  expect(JSON.parse(read('dist/packs/index.json'))).toMatchObject({
    packs: ['new/', 'both/'],
    manifests: { 'new/': { variants: [gguf] }, 'both/': both },
  });
  expect(precached().filter(({ url }) => url.startsWith('packs/'))).toEqual([]);
});

test('lists no packs if there are none', async () => {
  await build(inline({}));
  expect(JSON.parse(read('dist/packs/index.json'))).toEqual({ packs: [], manifests: {} });
});

test('does nothing in builds for a server', async () => {
  await build({ ...inline({}), build: { ssr: 'main.js' } });
  expect(readdirSync(join(root, 'dist'))).not.toContain('sw.js');
});

test.each([
  ['a missing folder', 'models/none', () => {}, /models\/none does not exist/],
  ['no manifest', 'models', () => {}, /models has no manifest\.json/],
  [
    'a bad manifest',
    'models/tiny',
    () => write('models/tiny/manifest.json', '{'),
    /is not a manifest/,
  ],
  [
    'a missing shard',
    'models/tiny',
    () => rmSync(join(root, 'models/tiny/weights/0.bin')),
    /incomplete: weights\/0\.bin is missing/,
  ],
  [
    'a shard cut short',
    'models/tiny',
    () => write('models/tiny/weights/0.bin', 'wei'),
    /0\.bin has 3 bytes instead of 7/,
  ],
])('refuses a pack with %s', async (_name, pack, damage, message) => {
  damage();
  await expect(build(inline({ packs: [pack] }))).rejects.toThrow(message);
});

test('refuses two packs whose folders have the same name', async () => {
  writePack('more/tiny');
  const both = inline({ packs: ['models/tiny', 'more/tiny'] });
  await expect(build(both)).rejects.toThrow('same name, "tiny"');
});

/** A plugin of another author. */
const other = (plugin: Plugin) => {
  const { plugins, ...options } = inline({});
  return { ...options, plugins: [...plugins, plugin] };
};

test.each([
  ['nuxt:environments', {}, /Nuxt does not publish.*npx slashv1 init public.*start\(\{ base/],
  [
    'vite-plugin-pwa',
    { api: { disabled: false } },
    /vite-plugin-pwa writes.*sw: false.*handle\(\)/,
  ],
])('refuses to build, and to serve, beside %s', async (name, facts, message) => {
  const options = other({ name, ...facts });
  await expect(build(options)).rejects.toThrow(message);
  await expect(createServer({ ...options, server: { middlewareMode: true } })).rejects.toThrow(
    message,
  );
});

test('builds beside vite-plugin-pwa if that is off, or if it leaves the service worker to it', async () => {
  await build(other({ name: 'vite-plugin-pwa', api: { disabled: true } }));
  const { plugins } = inline({ sw: false });
  await build({ ...inline({}), plugins: [...plugins, { name: 'vite-plugin-pwa' }] });
});

test.each(['sw.js', 'engine.js'])('refuses to replace %s of the site itself', async (file) => {
  write(`public/${file}`, "the site's own");
  await expect(build(inline({}))).rejects.toThrow(`dist/${file} is not of slashv1`);
  expect(read(`dist/${file}`)).toBe("the site's own");
});

test('refuses a build whose service worker another plugin replaces later', async () => {
  const closeBundle = () => write('dist/sw.js', 'another');
  await expect(build(other({ name: 'another', closeBundle }))).rejects.toThrow(
    /dist\/sw\.js is not of slashv1.*sw: false/,
  );
});

test('says what to do if slashv1 itself is not built', async () => {
  const unbuilt = inline({ library: join(root, 'nowhere') });
  await expect(build(unbuilt)).rejects.toThrow('npm run build');
});

test('refuses a service worker without the placeholder for the manifest', async () => {
  write('library/sw.js', 'nothing();');
  await expect(build(inline({}))).rejects.toThrow('self.__WB_MANIFEST');
});

test('the dev server serves the same, with nothing precached', async () => {
  const server = await createServer({
    ...inline({ packs: ['models/tiny'] }),
    base: '/sub/',
    server: { port: 0, host: '127.0.0.1' },
  });
  try {
    await server.listen();
    const [base] = server.resolvedUrls?.local ?? [];
    const get = async (path: string) => fetch(new URL(path, base));
    expect(await (await get('sw.js')).text()).toBe('precache([]);');
    expect((await get('engine.js')).headers.get('content-type')).toBe('text/javascript');
    expect(await (await get('packs/index.json')).json()).toMatchObject({ packs: ['tiny/'] });
    expect(await (await get('packs/tiny/weights/0.bin')).text()).toBe('weights');
    expect(await (await get('main.js')).text()).toContain('console.log');
  } finally {
    await server.close();
  }
});
