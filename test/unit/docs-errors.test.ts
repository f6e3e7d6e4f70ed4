import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/build/stamp.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/errors.md');

/** Members of a union or an object of the source, between two texts. */
function names(source: string, from: string, to: string, pattern: RegExp): string[] {
  const start = source.indexOf(from);
  expect(start).toBeGreaterThan(-1);
  const part = source.slice(start, source.indexOf(to, start));
  return [...part.matchAll(pattern)].map(([, name = '']) => name);
}

test('every code of a StartError is explained, with what helps', () => {
  const codes = names(read('src/page/api/api.ts'), 'readonly code:', ';', /'([a-z_]+)'/g);
  expect(codes).toContain('no_page');
  const explained = names(page, '## Of `start()`', '\n`npx', /^\| `([a-z_]+)`/gm);
  expect(explained.sort()).toEqual(codes.sort());
});

test('every code of a 500 is explained', () => {
  const source = read('src/core/errors/errors.ts');
  const codes = names(source, 'const SERVER_ERRORS', '}', /^ {2}([a-z_]+):/gm);
  expect(codes).toContain('out_of_memory');
  const explained = names(page, 'A 500 says', '\n`v1.models`', /^\| `([a-z_]+)`/gm);
  expect(explained.sort()).toEqual(codes.sort());
});

test('every fault of an upstream is explained', () => {
  const source = read('sw/upstreams/upstream-errors.ts');
  const codes = names(source, 'const FAULTS', '\n};', /^ {2}([a-z_]+):/gm);
  expect(codes).toContain('upstream_timeout');
  const explained = names(page, '## Of an upstream', '\n## ', /^\| \d+ +\| `([a-z_]+)`/gm);
  expect(explained.sort()).toEqual(codes.sort());
});
