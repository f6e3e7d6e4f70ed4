import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/core/version.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Files that name versions of their own accord. */
const NAMING = new Set(['package.json', 'package-lock.json', 'CHANGELOG.md']);

test('the version stands in package.json alone', () => {
  const files = execFileSync('git', ['grep', '-lI', '--untracked', '-F', VERSION], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const named = files
    .trim()
    .split('\n')
    .filter((file) => !NAMING.has(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => line.includes('slashv1') && line.includes(VERSION))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(named).toEqual([]);
});
