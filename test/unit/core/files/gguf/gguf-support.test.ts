import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { requireSupported, requireWhole } from '../../../../../src/core/files/gguf/gguf-support.ts';
import type { Field } from '../../../../support/gguf/gguf-bytes.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { splitTinyGguf, tensorOfType, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';

function header(bytes: Uint8Array, name?: string) {
  return readGgufHeader(memoryRanges(bytes, name));
}

const withField = async (key: string, value: Field | undefined) =>
  requireSupported([await header(tinyGguf({ metadata: { [key]: value } }))]);

test('a model that llama.cpp can run is described', async () => {
  expect(requireSupported([await header(tinyGguf())])).toEqual({
    architecture: 'llama',
    type: 'model',
    name: 'Tiny',
    license: 'mit',
    contextLength: 512,
    pooling: undefined,
    tokenizer: 'gpt2',
    preTokenizer: 'smollm',
  });
});

test.each([
  ['general.architecture', 'llama9', /has the architecture "llama9"/],
  ['general.architecture', 'toString', /has the architecture "toString"/],
  ['general.type', 'adapter', /not a whole model: its type is "adapter"/],
  ['tokenizer.ggml.model', 'other', /the tokenizer "other"/],
  ['tokenizer.ggml.pre', 'other', /the tokenizer "gpt2\/other"/],
])('%s %s is refused by its name', async (key, value, message) => {
  await expect(withField(key, { string: value })).rejects.toThrow(message);
});

test('an embedder is described, too', async () => {
  await expect(withField('llama.pooling_type', { u32: 1 })).resolves.toMatchObject({
    pooling: 'mean',
  });
  await expect(withField('llama.pooling_type', { u32: 0 })).resolves.toMatchObject({
    pooling: undefined,
  });
});

test('a file without an architecture, a tokenizer or weights is refused', async () => {
  await expect(withField('general.architecture', undefined)).rejects.toThrow(
    'lacks the metadata field general.architecture',
  );
  await expect(withField('tokenizer.ggml.model', undefined)).rejects.toThrow('has no tokenizer');
  const empty = await header(tinyGguf({ tensors: [] }));
  expect(() => requireSupported([empty])).toThrow('has no weights');
});

test('a tokenizer of another kind needs no way to cut texts', async () => {
  await expect(withField('tokenizer.ggml.pre', undefined)).resolves.toBeDefined();
  const metadata: Record<string, Field> = {
    'tokenizer.ggml.model': { string: 'llama' },
    'tokenizer.ggml.pre': { string: 'other' },
  };
  const spm = await header(tinyGguf({ metadata }));
  expect(requireSupported([spm]).tokenizer).toBe('llama');
});

test.each([4, 31, 36, 99, 15])('the removed or unknown ggml type %i is refused', async (type) => {
  const file = await header(tinyGguf({ tensors: [tensorOfType(type)] }));
  expect(() => requireSupported([file])).toThrow(`ggml type ${type} in tensor token_embd.weight`);
});

test('all parts of a split model are wanted, in order', async () => {
  const parts = await Promise.all(
    splitTinyGguf(3).map((part, index) => header(part, `part ${index + 1}`)),
  );
  expect(requireSupported(parts).architecture).toBe('llama');
  const [first, second, third] = parts;
  if (!first || !second || !third) throw new Error('There are three parts.');
  expect(() => requireSupported([first, third, second])).toThrow(
    'part 3 is part 3 of 3, not part 2 of 3.',
  );
  expect(() => requireSupported([first])).toThrow('part 1 is part 1 of 3, not part 1 of 1.');
});

test('a file that ends before its weights do is truncated', async () => {
  const bytes = tinyGguf();
  const file = await header(bytes);
  expect(() => requireWhole(file, bytes.length)).not.toThrow();
  expect(() => requireWhole(file, bytes.length - 1)).toThrow(
    `model.gguf is truncated: it has ${bytes.length - 1} bytes instead of ${bytes.length}.`,
  );
});
