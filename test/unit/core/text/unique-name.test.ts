import { expect, test } from 'vitest';
import { uniqueName } from '../../../../src/core/text/unique-name.ts';

test.each([
  ['add', [], 'add'],
  ['files.read', [], 'files_read'],
  ['', [], '_'],
  ['add', ['add'], 'add_2'],
  ['add', ['add', 'add_2'], 'add_3'],
  ['a'.repeat(70), [], 'a'.repeat(64)],
  ['a'.repeat(70), ['a'.repeat(64)], `${'a'.repeat(62)}_2`],
])('%j beside %j is %j', (text, others, name) => {
  const taken = new Set(others);
  expect(uniqueName(text, taken)).toBe(name);
  expect(taken).toContain(name);
});
