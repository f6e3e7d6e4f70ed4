import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = '{src,sw,scripts,bench,models,test}/**/*.{ts,tsx}';
const LEFT_OUT = /(^|\/)(node_modules|built|dist|generated)\//;

test('no object literal is spread where its members could stand', () => {
  const sources = globSync(SOURCES, { cwd: ROOT }).filter((path) => !LEFT_OUT.test(path));
  expect(sources.length).toBeGreaterThan(2_000);
  const packed = sources.flatMap((path) => {
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      /^\s*\.\.\.\{ \w/.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [],
    );
  });
  expect(packed).toEqual([]);
});
