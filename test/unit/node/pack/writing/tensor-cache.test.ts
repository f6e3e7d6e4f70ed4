import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeTensorCache } from '../../../../../src/node/pack/writing/tensor-cache.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const parameter = (name: string, words: number) => ({
  name,
  shape: [words],
  data: new Uint32Array(words).fill(words),
});

function index(): unknown {
  return JSON.parse(readFileSync(join(folder, 'tensor-cache.json'), 'utf8'));
}

test('tensors are stored one after the other and described as TVM does', () => {
  const data = Float32Array.of(1, -2, 3, 4);
  const norm = { name: 'norm', shape: [2, 2], data };
  expect(writeTensorCache(folder, [parameter('a', 2), norm])).toBe(24);
  const bytes = readFileSync(join(folder, 'params_shard_0.bin'));
  expect([bytes.readUInt32LE(4), bytes.readFloatLE(12)]).toEqual([2, -2]);
  const raw = { format: 'raw' };
  expect(index()).toEqual({
    metadata: { ParamSize: 2, ParamBytes: 24, BitsPerParam: 0 },
    records: [
      {
        dataPath: 'params_shard_0.bin',
        format: 'raw-shard',
        nbytes: 24,
        records: [
          { ...raw, name: 'a', shape: [2], dtype: 'uint32', nbytes: 8, byteOffset: 0 },
          { ...raw, name: 'norm', shape: [2, 2], dtype: 'float32', nbytes: 16, byteOffset: 8 },
        ],
        md5sum: createHash('md5').update(bytes).digest('hex'),
      },
    ],
  });
});

test('a shard holds as many tensors as fit; a tensor is never split', () => {
  const sizes = [4, 4, 3, 20, 1, 9];
  writeTensorCache(
    folder,
    sizes.map((size, i) => parameter(`p${i}`, size)),
    40,
  );
  expect(index()).toMatchObject({
    records: [{ nbytes: 32 }, { nbytes: 12 }, { nbytes: 80 }, { nbytes: 40 }],
  });
  const shards = readdirSync(folder).filter((name) => name.endsWith('.bin'));
  expect(shards.sort()).toEqual([0, 1, 2, 3].map((i) => `params_shard_${i}.bin`));
});

test('a view into a larger buffer is written without the rest', () => {
  const data = Uint32Array.of(1, 2, 3).subarray(1, 2);
  writeTensorCache(folder, [{ name: 'x', shape: [1], data }]);
  expect([...readFileSync(join(folder, 'params_shard_0.bin'))]).toEqual([2, 0, 0, 0]);
});
