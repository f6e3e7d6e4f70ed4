import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeIfChanged, type Step } from '../../../scripts/stamp.ts';

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

test('makes once what does not change', async () => {
  expect(await make()).toBe(true);
  expect(await make()).toBe(false);
});

test.each([
  ['content', () => write('src/deep/b.ts', 'c')],
  ['name', () => write('src/deep/c.ts', '')],
  ['absence', () => rmSync(join(root, 'src/a.ts'))],
])('makes anew when the %s of an input changes', async (_what, change) => {
  await make();
  change();
  expect(await make()).toBe(true);
});

test('makes anew when an option changes', async () => {
  await make();
  expect(await make({ options: ['other'] })).toBe(true);
});

test('makes anew what was deleted', async () => {
  await make();
  rmSync(join(root, 'dist/out.js'));
  expect(await make()).toBe(true);
  expect(existsSync(join(root, 'dist/out.js'))).toBe(true);
});

test('makes anew what failed the last time', async () => {
  await make();
  write('src/a.ts', 'broken');
  const failing = make({ make: () => Promise.reject(new Error('broken')) });
  await expect(failing).rejects.toThrow('broken');
  write('src/a.ts', 'a');
  expect(await make()).toBe(true);
});

test('two at once make it once', async () => {
  const made = await Promise.all([make(), make()]);
  expect(made.filter(Boolean)).toHaveLength(1);
});
