import * as v from 'valibot';
import { expect, test } from 'vitest';
import { memorySource } from '../../../../src/node/pack/byte-source.ts';
import { field, readGguf } from '../../../../src/node/pack/gguf-file.ts';
import { f32Bytes, ggufBytes } from './gguf-bytes.ts';

const tensor = { name: 'x', type: 0, shape: [2, 3], bytes: f32Bytes([1, 2, 3, 4, 5, 6]) };

function read(bytes: Uint8Array) {
  return readGguf(memorySource('model.gguf', bytes));
}

test('metadata of every kind is read', () => {
  const file = read(
    ggufBytes(
      {
        ...{ a: { u32: 7 }, b: { u64: 2 ** 40 }, c: { f32: 0.5 }, d: { bool: true } },
        ...{ e: { string: 'é' }, f: { i32s: [1, 2] }, g: { strings: ['x', 'yz'] } },
      },
      [],
    ),
  );
  expect(Object.fromEntries(file.metadata)).toEqual({
    ...{ a: 7, b: 2 ** 40, c: 0.5, d: true, e: 'é', f: [1, 2], g: ['x', 'yz'] },
  });
});

test('tensors are found with the contiguous dimension last, at aligned offsets', () => {
  const bytes = ggufBytes({ key: { string: 'odd' } }, [tensor, { ...tensor, name: 'y' }]);
  const { tensors } = read(bytes);
  expect(tensors.get('y')).toMatchObject({ shape: [2, 3], offset: bytes.length - 32 });
});

test('metadata longer than what is read at a time is read whole', () => {
  const strings = Array.from({ length: 3 }, (_, i) => String(i).repeat(700_000));
  const file = read(ggufBytes({ key: { strings } }, []));
  expect(field(file, 'key', v.array(v.string()))).toEqual(strings);
});

test('another file is refused', () => {
  expect(() => read(Buffer.from('PK and so on, for as long as it takes'))).toThrow(
    'model.gguf is not a GGUF file.',
  );
  expect(() => read(new Uint8Array(3))).toThrow('not a GGUF file');
});

test('an unknown version is refused', () => {
  const bytes = ggufBytes({}, []);
  bytes[4] = 9;
  expect(() => read(bytes)).toThrow('GGUF of version 9');
});

test('a tensor type that cannot be read is named', () => {
  const bytes = ggufBytes({}, [{ ...tensor, type: 12 }]);
  expect(() => read(bytes)).toThrow('Tensor x has ggml type 12; only F32, F16, Q4_1');
});

test('a file that ends early is refused, wherever it ends', () => {
  const bytes = ggufBytes({ key: { string: 'value' } }, [tensor]);
  for (const length of [24, 40, 60, 80, bytes.length - 9]) {
    expect(() => read(bytes.subarray(0, length)), `${length} bytes`).toThrow(/is truncated/);
  }
});

test('an absurd count is damage, not an attempt to allocate', () => {
  const bytes = Buffer.from(ggufBytes({}, []));
  bytes.writeBigUInt64LE(2n ** 50n, 8);
  expect(() => read(bytes)).toThrow('is truncated');
  bytes.writeBigUInt64LE(2n ** 63n, 8);
  expect(() => read(bytes)).toThrow('is damaged');
});

test('a missing or mistyped field is named', () => {
  const file = read(ggufBytes({ key: { string: 'value' } }, []));
  expect(() => field(file, 'none', v.number())).toThrow('lacks the metadata field none');
  expect(() => field(file, 'key', v.number())).toThrow('metadata field key: Invalid type');
});
