import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onDemandCache, WEBLLM_URL } from '../../../../src/core/site/engine-files.ts';
import { ENGLISH_URL } from '../../../../src/core/site/onnx-files.ts';
import type { Task } from '../../../../src/core/catalog/catalog-entry.ts';
import type { Variant } from '../../../../src/core/catalog/variant.ts';
import { keepEngineFiles } from '../../../../src/engine/device/offline-files.ts';

const BASE = 'https://site.test/app/';
const kept = new Set<string>();
const missing = new Set<string>();

beforeEach(() => {
  kept.clear();
  missing.clear();
  const cache = {
    match: async (url: URL) => (kept.has(url.href) ? new Response() : undefined),
    add: async ({ url, cache: how }: Request) => {
      expect(how).toBe('force-cache');
      if (missing.has(url)) throw new TypeError('HTTP 404');
      kept.add(url);
    },
  };
  const open = async (name: string) => {
    expect(name).toBe(onDemandCache('/app/'));
    return cache;
  };
  vi.stubGlobal('caches', { open });
});
afterEach(() => vi.unstubAllGlobals());

const keep = (engine: Variant['engine'], task: Task = 'chat') =>
  keepEngineFiles({ engine }, { task }, BASE);

const files = () => [...kept].map((url) => url.replace(BASE, ''));

test('files that went past the service worker are kept', async () => {
  await keep('llamacpp');
  expect(files()).toEqual(['llamacpp.js', 'llamacpp.wasm']);
  await keep('onnx', 'speech');
  expect(files().slice(2)).toEqual(['onnx.js', 'onnx.wasm', ENGLISH_URL, 'speech-mp3.wasm']);
});

test.each([
  ['onnx', 'onnx-gpu.js', 'onnx-gpu.wasm'],
  ['llamacpp', 'llamacpp.js', 'llamacpp-threads.wasm'],
] as const)(
  'nothing is fetched if the service worker has kept a build of %s',
  async (engine, ...build) => {
    for (const file of build) kept.add(BASE + file);
    await keep(engine);
    expect(files()).toEqual(build);
  },
);

test('a script that was kept without its WebAssembly does not suffice', async () => {
  kept.add(`${BASE}llamacpp.js`);
  await keep('llamacpp');
  expect(files()).toEqual(['llamacpp.js', 'llamacpp.wasm']);
});

test('if the site lacks a file, the others are kept', async () => {
  missing.add(`${BASE}speech-mp3.wasm`);
  await keep('onnx', 'speech');
  expect(files()).toEqual(['onnx.js', 'onnx.wasm', ENGLISH_URL]);
});

test('WebLLM has a script only', async () => {
  await keep('webllm');
  expect(files()).toEqual([WEBLLM_URL]);
});

test('an embedder needs nothing of speech', async () => {
  await keep('onnx', 'embedding');
  expect(files()).toEqual(['onnx.js', 'onnx.wasm']);
});
