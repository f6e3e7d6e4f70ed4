import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

const MODELS = join(import.meta.dirname, '../../../models/llamacpp');
const FOLDER = join(MODELS, 'built');

const Index = v.object({
  source: v.object({ file: v.string(), sha256: v.string() }),
  own: v.record(v.string(), v.string()),
  emscripten: v.string(),
  files: v.record(v.string(), v.object({ bytes: v.number(), sha256: v.string() })),
});
const { own, files } = v.parse(
  Index,
  JSON.parse(readFileSync(join(FOLDER, 'llamacpp.json'), 'utf8')),
);

function read(file: string): Buffer {
  return readFileSync(join(FOLDER, file));
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function gzippedBytes(product: string): number {
  const sizes = [`${product}.js`, `${product}.wasm`].map((file) => gzipSync(read(file)).length);
  return sizes.reduce((sum, size) => sum + size);
}

test('there is a product with threads, one without, and one for WebGPU', () => {
  expect(Object.keys(files).toSorted()).toEqual([
    'llamacpp-gpu.js',
    'llamacpp-gpu.wasm',
    'llamacpp-threads.js',
    'llamacpp-threads.wasm',
    'llamacpp.js',
    'llamacpp.wasm',
  ]);
});

test('our own sources are those that the products were built from', () => {
  const sources = readdirSync(MODELS, { recursive: true, encoding: 'utf8' })
    .filter((path) =>
      /^[\w-]+\.(cpp|h)$|^(kernels|patches|webgpu)\/\w|^library\.js$|^build\.sh$/.test(path),
    )
    .map((path) => [path, sha256(readFileSync(join(MODELS, path)))]);
  // If this fails, run models/llamacpp/build.sh.
  expect(own).toEqual(Object.fromEntries(sources));
});

test.each(Object.entries(files))('%s is what the build made', (file, { bytes, sha256: hash }) => {
  const content = read(file);
  expect(content.length).toBe(bytes);
  expect(sha256(content)).toBe(hash);
});

test.each(['llamacpp', 'llamacpp-threads'])('%s has at most 1.2 MB gzipped', (product) => {
  expect(gzippedBytes(product)).toBeLessThan(1.2e6);
});

test('WebGPU adds at most 0.5 MB gzipped', () => {
  expect(gzippedBytes('llamacpp-gpu')).toBeLessThan(gzippedBytes('llamacpp') + 0.5e6);
});

describe.each(['llamacpp', 'llamacpp-threads', 'llamacpp-gpu'])('%s', (product) => {
  test('needs no eval and has no import that only Node can resolve', () => {
    const script = read(`${product}.js`).toString();
    expect(script).not.toMatch(/\beval\(|new Function|^import /m);
  });

  test('needs neither JSPI nor a 64-bit memory', () => {
    const script = read(`${product}.js`).toString();
    expect(script).not.toMatch(/WebAssembly\.(Suspending|promising)|["']i64["']/);
  });

  test('has no path of the machine that built it', () => {
    expect(read(`${product}.wasm`).toString('latin1')).not.toMatch(/\/(home|tmp|root|work)\//);
  });
});
