import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readGgufHeader, type GgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { tensorBytes } from '../../../../../src/core/files/gguf/tensor-bytes.ts';
import { memorySource, openByteSource } from '../../../../../src/node/pack/sources/byte-source.ts';
import { copyInOrderOfUse } from '../../../../../src/node/pack/formats/order-of-use.ts';
import { f32Bytes, ggufBytes, type Tensor } from '../../../../support/gguf/gguf-bytes.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let source: string;
let target: string;

beforeEach(() => {
  const folder = temporaryFolder();
  source = join(folder, 'a.gguf');
  target = join(folder, 'b.gguf');
});

/** Each tensor has other values. Most sizes are not multiples of the alignment. */
const tensor = (name: string, index: number): Tensor => ({
  name,
  type: 0,
  shape: [index + 1, 3],
  bytes: f32Bytes(Array.from({ length: 3 * (index + 1) }, (_, n) => 100 * index + n)),
});

/** Copies a file with these tensors. @returns the copy's header, and the names of its tensors with their bytes */
async function copy(names: string[]) {
  writeFileSync(source, ggufBytes({ 'general.name': { string: 'blk.1' } }, names.map(tensor)));
  const opened = openByteSource(source);
  copyInOrderOfUse(await readGgufHeader(opened), target);
  opened.close();
  const bytes = new Uint8Array(readFileSync(target));
  const header = await readGgufHeader(memorySource('b', bytes));
  return { header, stored: storedIn(header, bytes) };
}

function storedIn({ tensors }: GgufHeader, bytes: Uint8Array) {
  return tensors.map(
    (each) => [each.name, bytes.slice(each.offset, each.offset + tensorBytes(each))] as const,
  );
}

const SORTED_AS_TEXTS = [
  ...['token_embd.weight', 'blk.0.a.weight', 'blk.1.b.weight', 'blk.1.a.weight', 'blk.10.a.weight'],
  ...['blk.2.a.weight', 'output_norm.weight', 'rope_freqs.weight'],
];

test('layers that are sorted as texts are written in their order', async () => {
  const { header, stored } = await copy(SORTED_AS_TEXTS);
  expect(stored.map(([name]) => name)).toEqual([
    ...['token_embd.weight', 'rope_freqs.weight', 'blk.0.a.weight', 'blk.1.b.weight'],
    ...['blk.1.a.weight', 'blk.2.a.weight', 'blk.10.a.weight', 'output_norm.weight'],
  ]);
  for (const [name, bytes] of stored) {
    expect(bytes).toEqual(tensor(name, SORTED_AS_TEXTS.indexOf(name)).bytes);
  }
  expect(header.metadata.get('general.name')).toBe('blk.1');
  // llama.cpp requires that each tensor follows the one before it, at a multiple of 32 bytes.
  let end = header.tensors[0]?.offset ?? 0;
  for (const each of header.tensors) {
    expect(each.offset).toBe(end);
    end += Math.ceil(tensorBytes(each) / 32) * 32;
  }
});

test('a file whose layers are in order is copied as it is', async () => {
  await copy([
    'output.weight',
    'token_embd.weight',
    'blk.0.a.weight',
    'blk.0.b.weight',
    'blk.9.a.weight',
  ]);
  expect(readFileSync(target).equals(readFileSync(source))).toBe(true);
});
