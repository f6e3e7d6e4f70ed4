import { expect, test } from 'vitest';
import { readModelSource } from '../../../../../src/engine/download/hub/model-source.ts';

const read = (source: string) => readModelSource(source, ['.gguf']);
const hub = (repository: string, file?: string) => ({
  kind: 'hub',
  repository,
  ...(file !== undefined && { file }),
});

test.each([
  ['o/n', hub('o/n')],
  ['o/n:a.gguf', hub('o/n', 'a.gguf')],
  ['o/n:q/a.gguf', hub('o/n', 'q/a.gguf')],
  ['o/n-GGUF:Q4_K_M', hub('o/n-GGUF', 'Q4_K_M')],
  ['hf.co/o/n:Q8_0', hub('o/n', 'Q8_0')],
  ['https://huggingface.co/o/n', hub('o/n')],
  ['https://huggingface.co/o/n/', hub('o/n')],
  ['https://huggingface.co/o/n/tree/main?x=1', hub('o/n')],
  ['https://huggingface.co/o/n/blob/main/q/a%20b.gguf', hub('o/n', 'q/a b.gguf')],
  ['https://huggingface.co/o/n/resolve/main/a.gguf?download=true', hub('o/n', 'a.gguf')],
])('%s is on the hub', (source, expected) => expect(read(source)).toEqual(expected));

test.each([
  'https://host/a.gguf',
  'https://host/a.GGUF?key=1',
  'https://huggingface.co/o/n/resolve/abc123/a.gguf',
])('%s is a file', (source) => {
  expect(read(source)).toEqual({ kind: 'file', url: new URL(source) });
});

test.each(['https://host/pack', 'https://host/pack/', 'https://host/pack/manifest.json'])(
  '%s is a pack',
  (source) => expect(read(source)).toEqual({ kind: 'pack', url: new URL('https://host/pack/') }),
);

test.each(['nothing', '', 'a.gguf', 'o/n/', ':x', 'o/n:'])('%j is nothing', (source) => {
  expect(() => read(source)).toThrow(
    `'${source}' is not "owner/name" of a model on the hub, nor the URL of a .gguf file or a model pack.`,
  );
});

test('a URL that cannot be parsed is refused', () => {
  expect(() => read('https://')).toThrow("'https://' is not a valid URL.");
});
