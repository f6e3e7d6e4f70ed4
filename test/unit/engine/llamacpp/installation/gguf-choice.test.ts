import { describe, expect, test } from 'vitest';
import { ggufCandidates, isGgufPart } from '../../../../../src/core/files/gguf/gguf-candidates.ts';
import { named, proposed } from '../../../../../src/engine/llamacpp/installation/gguf-choice.ts';

const GB = 1e9;

/** The candidates of a repository with these files, by path → gigabytes. */
function candidates(files: Record<string, number>) {
  return ggufCandidates(
    Object.entries(files).map(([path, size]) => ({ path, size: size * GB, url: `u/${path}` })),
  );
}

const pathsOf = (found: { path: string }[]) => found.map(({ path }) => path);

test.each([
  ['a-Q4_K_M.gguf', true],
  ['explora-Q4.gguf', true],
  ['a.safetensors', false],
  ['mmproj-model-f16.gguf', true],
  ['q/a-mmproj.gguf', true],
  ['imatrix_unsloth.gguf', false],
  ['a.imatrix.gguf', false],
  ['ggml-lora-f16.gguf', false],
  ['ggml-vocab-llama.gguf', false],
])('%s belongs to a model: %s', (path, expected) => expect(isGgufPart(path)).toBe(expected));

describe('without a file’s name', () => {
  const files = { 'a-F16.gguf': 16, 'a-Q2_K.gguf': 2, 'a-Q4_K_M.gguf': 4, 'a-Q8_0.gguf': 8 };

  test('Q4_K_M is proposed, and what is smaller if there is too little memory', () => {
    const propose = (memory: number) => pathsOf(proposed('o/n', candidates(files), memory * GB));
    expect(propose(32)[0]).toBe('a-Q4_K_M.gguf');
    expect(propose(4)).toEqual(['a-Q4_K_M.gguf', 'a-Q2_K.gguf']);
    expect(propose(3)).toEqual(['a-Q2_K.gguf']);
  });

  test('the smallest is proposed if none fits', () => {
    expect(pathsOf(proposed('o/n', candidates(files), 1))).toEqual(['a-Q2_K.gguf']);
  });

  test('files in folders come later', () => {
    const found = candidates({ 'old/a-Q4_K_M.gguf': 1, 'a-Q4_K_M.gguf': 2 });
    expect(pathsOf(proposed('o/n', found, 9 * GB))[0]).toBe('a-Q4_K_M.gguf');
  });

  test('two that are as good are an error that names them', () => {
    const found = candidates({ 'small-Q4_K_M.gguf': 1, 'large-Q4_K_M.gguf': 2, 'x-Q8_0.gguf': 1 });
    expect(() => proposed('o/n', found, 9 * GB)).toThrow(
      "o/n has several files that may be meant: small-Q4_K_M.gguf, large-Q4_K_M.gguf. Name one, for example 'o/n:small-Q4_K_M.gguf'.",
    );
  });

  test('the parts of a split file are one model', () => {
    const found = candidates({
      'a-Q4_K_M-00002-of-00002.gguf': 2,
      'a-Q4_K_M-00001-of-00002.gguf': 3,
    });
    expect(found).toMatchObject([
      { path: 'a-Q4_K_M-00001-of-00002.gguf', bytes: 5 * GB, quantization: 'Q4_K_M' },
    ]);
    expect(pathsOf(found[0]?.parts ?? [])).toEqual([
      'a-Q4_K_M-00001-of-00002.gguf',
      'a-Q4_K_M-00002-of-00002.gguf',
    ]);
  });

  test('a file with a missing part is left out; if there is no other, that is the error', () => {
    const split = { 'a-Q4_K_M-00001-of-00002.gguf': 2 };
    const others = candidates({ ...split, 'a-Q8_0.gguf': 2 });
    expect(pathsOf(proposed('o/n', others, 9 * GB))).toEqual(['a-Q8_0.gguf']);
    const only = candidates(split);
    const message = 'this part is missing: a-Q4_K_M-00002-of-00002.gguf.';
    expect(() => proposed('o/n', only, 9 * GB)).toThrow(message);
    expect(() => named('o/n', only, 'Q4_K_M')).toThrow(message);
  });
});

describe('with a name', () => {
  const found = candidates({
    'a-Q4_K_M.gguf': 4,
    'a-UD-Q4_K_XL.gguf': 4,
    'q8/a-Q8_0-00001-of-00002.gguf': 4,
    'q8/a-Q8_0-00002-of-00002.gguf': 4,
  });

  test.each([
    ['a-Q4_K_M.gguf', 'a-Q4_K_M.gguf'],
    ['A-Q4_K_M.GGUF', 'a-Q4_K_M.gguf'],
    ['a-q4_k_m', 'a-Q4_K_M.gguf'],
    ['Q4_K_M', 'a-Q4_K_M.gguf'],
    ['q4_k_m', 'a-Q4_K_M.gguf'],
    ['UD-Q4_K_XL', 'a-UD-Q4_K_XL.gguf'],
    ['Q8_0', 'q8/a-Q8_0-00001-of-00002.gguf'],
    ['q8/a-Q8_0-00002-of-00002.gguf', 'q8/a-Q8_0-00001-of-00002.gguf'],
    ['a-Q8_0-00001-of-00002.gguf', 'q8/a-Q8_0-00001-of-00002.gguf'],
  ])('%s is %s', (name, path) => expect(named('o/n', found, name).path).toBe(path));

  test('an unknown one is an error that lists what there is', () => {
    expect(() => named('o/n', found, 'Q5_K_M')).toThrow(
      "o/n has no GGUF file 'Q5_K_M'. It has a-Q4_K_M.gguf, a-UD-Q4_K_XL.gguf, q8/a-Q8_0-00001-of-00002.gguf.",
    );
  });

  test('a long list is cut', () => {
    const many = candidates(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}.gguf`, 1])),
    );
    expect(() => named('o/n', many, 'x')).toThrow(/^(?:[^,]*,){11}[^,]* and 18 more\.$/);
  });
});
