import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeIfChanged, type Step } from '../../scripts/build/stamp.ts';

let root: string;
let step: Step;

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const make = (changes: Partial<Step> = {}) => makeIfChanged({ ...step, ...changes }, root);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stamp-'));
  write('src/a.ts', 'a');
  write('src/deep/b.ts', 'b');
  step = {
    name: 'part',
    inputs: ['src', 'none'],
    outputs: ['dist/out.js'],
    make: async () => write('dist/out.js', 'made'),
  };
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a step runs only once if nothing changes', async () => {
  expect(await make()).toBe(true);
  expect(await make()).toBe(false);
});

test.each([
  ['content', () => write('src/deep/b.ts', 'c')],
  ['name', () => write('src/deep/c.ts', '')],
  ['absence', () => rmSync(join(root, 'src/a.ts'))],
])('a step runs again when the %s of an input changes', async (_what, change) => {
  await make();
  change();
  expect(await make()).toBe(true);
});

test('a step runs again when an option changes', async () => {
  await make();
  expect(await make({ options: ['other'] })).toBe(true);
});

test('a step runs again when its output was deleted', async () => {
  await make();
  rmSync(join(root, 'dist/out.js'));
  expect(await make()).toBe(true);
  expect(existsSync(join(root, 'dist/out.js'))).toBe(true);
});

test('a step runs again after it failed', async () => {
  await make();
  write('src/a.ts', 'broken');
  const failing = make({ make: () => Promise.reject(new Error('broken')) });
  await expect(failing).rejects.toThrow('broken');
  write('src/a.ts', 'a');
  expect(await make()).toBe(true);
});

test('of two simultaneous calls only one runs the step', async () => {
  const made = await Promise.all([make(), make()]);
  expect(made.filter(Boolean)).toHaveLength(1);
});
