import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../models/llamacpp/built');

const Index = v.object({
  source: v.object({ file: v.string(), sha256: v.string() }),
  emscripten: v.string(),
  files: v.record(v.string(), v.object({ bytes: v.number(), sha256: v.string() })),
});
const { files } = v.parse(Index, JSON.parse(readFileSync(join(FOLDER, 'llamacpp.json'), 'utf8')));

function read(file: string): Buffer {
  return readFileSync(join(FOLDER, file));
}

test('there is a product with threads and one without', () => {
  expect(Object.keys(files).toSorted()).toEqual([
    'llamacpp-threads.js',
    'llamacpp-threads.wasm',
    'llamacpp.js',
    'llamacpp.wasm',
  ]);
});

test.each(Object.entries(files))('%s is what the build made', (file, { bytes, sha256 }) => {
  const content = read(file);
  expect(content.length).toBe(bytes);
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
});

describe.each(['llamacpp', 'llamacpp-threads'])('%s', (product) => {
  test('has at most 1.2 MB gzipped', () => {
    const sizes = [`${product}.js`, `${product}.wasm`].map((file) => gzipSync(read(file)).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1.2e6);
  });

  test('needs no eval and has no import that only Node can resolve', () => {
    const script = read(`${product}.js`).toString();
    expect(script).not.toMatch(/\beval\(|new Function|^import /m);
  });

  test('has no path of the machine that built it', () => {
    expect(read(`${product}.wasm`).toString('latin1')).not.toMatch(/\/(home|tmp|root|work)\//);
  });
});
