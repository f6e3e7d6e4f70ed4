import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onDemandCache, WEBLLM_URL } from '../../../../src/core/protocol/engine-files.ts';
import { keepEngineFiles } from '../../../../src/engine/device/offline-files.ts';

const BASE = 'https://site.test/app/';
const kept = new Set<string>();
const missing = new Set<string>();

beforeEach(() => {
  kept.clear();
  missing.clear();
  const cache = {
    match: async (url: URL) => (kept.has(url.href) ? new Response() : undefined),
    add: async (url: URL) => {
      if (missing.has(url.href)) throw new TypeError('HTTP 404');
      kept.add(url.href);
    },
  };
  const open = async (name: string) => {
    expect(name).toBe(onDemandCache('/app/'));
    return cache;
  };
  vi.stubGlobal('caches', { open });
});
afterEach(() => vi.unstubAllGlobals());

const files = () => [...kept].map((url) => url.replace(BASE, ''));

test('files that went past the service worker are kept', async () => {
  await keepEngineFiles('llamacpp', BASE);
  expect(files()).toEqual(['llamacpp.js', 'llamacpp.wasm']);
  await keepEngineFiles('onnx', BASE);
  expect(files().slice(2)).toEqual(['speech.js', 'speech.wasm', 'speech-mp3.wasm']);
});

test('nothing is fetched if the service worker has kept a script of the engine', async () => {
  kept.add(`${BASE}speech-gpu.js`);
  await keepEngineFiles('onnx', BASE);
  expect(files()).toEqual(['speech-gpu.js']);
});

test('if the site lacks a file, the others are kept', async () => {
  missing.add(`${BASE}speech-mp3.wasm`);
  await keepEngineFiles('onnx', BASE);
  expect(files()).toEqual(['speech.js', 'speech.wasm']);
});

test('WebLLM has a script only', async () => {
  await keepEngineFiles('webllm', BASE);
  expect(files()).toEqual([WEBLLM_URL]);
});
