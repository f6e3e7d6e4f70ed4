import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

function write(file: string, bytes: number): void {
  // Random bytes cannot be compressed.
  writeFileSync(join(folder, file), randomBytes(bytes));
}

function sizes() {
  const script = join(import.meta.dirname, '../../scripts/sizes.ts');
  return spawnSync(process.execPath, [script, folder, folder], { encoding: 'utf8' });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sizes-'));
  write('sw.js', 4_000);
  write('sw-api.js', 29_000);
  write('slashv1.js', 9_000);
  write('connect.js', 2_000);
  write('index.js', 100_000);
  write('index.css', 7_000);
  const names = '<script src="./index.js"></script><link href="./index.css">';
  writeFileSync(join(folder, 'index.html'), names);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('prints the gzipped sizes and passes below the limits', () => {
  const { status, stdout } = sizes();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^sw-api\.js: 29\.\d kB gzipped, at most 68.2 kB: ok$/m);
  expect(stdout).toMatch(/^console: 107\.\d kB gzipped, at most 120 kB: ok$/m);
  expect(stdout).toMatch(/^slashv1\.js: 9\.\d kB gzipped, at most 14\.2 kB: ok$/m);
});

test.each([
  ['sw.js', 7_000],
  ['sw-api.js', 69_000],
  ['slashv1.js', 15_000],
  ['connect.js', 4_000],
])('fails when %s is too large', (file, bytes) => {
  write(file, bytes);
  const { status, stdout } = sizes();
  expect(status).toBe(1);
  expect(stdout).toMatch(new RegExp(`^${file}.*too large$`, 'm'));
});

test('fails when the first load of the console is too large', () => {
  write('index.css', 25_000);
  const { status, stdout } = sizes();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^console: 125.*too large$/m);
});

test('fails when a file is missing', () => {
  rmSync(join(folder, 'sw.js'));
  expect(sizes().status).toBe(1);
});
