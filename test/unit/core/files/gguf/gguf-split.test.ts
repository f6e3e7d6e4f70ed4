import { expect, test } from 'vitest';
import { ggufStem, splitParts } from '../../../../../src/core/files/gguf/gguf-split.ts';

test('any part of a split file names all parts', () => {
  const parts = ['q/a-00001-of-00003.gguf', 'q/a-00002-of-00003.gguf', 'q/a-00003-of-00003.gguf'];
  for (const part of parts) expect(splitParts(part)).toEqual(parts);
});

test.each(['a.gguf', 'a-1-of-2.gguf', 'a-00001-of-00000.gguf', '00001-of-00002.gguf'])(
  '%s is a whole file',
  (path) => expect(splitParts(path)).toEqual([path]),
);

test.each([
  ['q/a-Q4_K_M.gguf', 'a-Q4_K_M'],
  ['a-00001-of-00003.gguf', 'a'],
  ['A.GGUF', 'A'],
])('the stem of %s is %s', (path, stem) => expect(ggufStem(path)).toBe(stem));
