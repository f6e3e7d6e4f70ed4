import { expect, test } from 'vitest';
import { memorySource } from '../../../../../src/node/pack/sources/byte-source.ts';
import { readGguf } from '../../../../../src/node/pack/formats/gguf-file.ts';
import { f32Bytes, ggufBytes } from '../../../../support/gguf/gguf-bytes.ts';

const tensor = { name: 'x', type: 0, shape: [2, 3], bytes: f32Bytes([1, 2, 3, 4, 5, 6]) };

function read(bytes: Uint8Array) {
  return readGguf(memorySource('model.gguf', bytes));
}

test('tensors are found by name, with their format', async () => {
  const bytes = ggufBytes({ key: { string: 'odd' } }, [tensor, { ...tensor, name: 'y' }]);
  const { tensors } = await read(bytes);
  expect(tensors.get('y')).toMatchObject({
    shape: [2, 3],
    offset: bytes.length - 32,
    format: { name: 'F32' },
  });
});

test('a tensor type that cannot be read is named', async () => {
  const bytes = ggufBytes({}, [{ ...tensor, type: 12 }]);
  await expect(read(bytes)).rejects.toThrow('Tensor x has ggml type 12; only F32, F16, Q4_1');
});

test('a file that ends early is refused, wherever it ends', async () => {
  const bytes = ggufBytes({ key: { string: 'value' } }, [tensor]);
  for (const length of [24, 40, 60, 80, bytes.length - 9]) {
    await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(
      /is truncated/,
    );
  }
});
