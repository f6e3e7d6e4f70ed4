import { expect, test } from 'vitest';
import { dotProducts, toHalfFloats } from '../../../../src/core/retrieval/half-floats.ts';

test.each([
  [0, 0],
  [1, 0x3c_00],
  [-1, 0xbc_00],
  [0.5, 0x38_00],
  [0.1, 0x2e_66],
  [2 ** -14, 0x04_00],
  [2 ** -24, 0x00_01],
  [1 - 2 ** -12, 0x3c_00],
])('%d has the bits of IEEE 754', (value, bits) => {
  expect([...toHalfFloats(Float32Array.of(value))]).toEqual([bits]);
});

test('products with vectors of length 1 are right to three places', () => {
  const vectors = Array.from({ length: 9 }, (_, at) =>
    Float32Array.from({ length: 64 }, (__, index) => Math.sin(at * 64 + index) / Math.sqrt(32)),
  );
  const halves = toHalfFloats(Float32Array.from(vectors.flatMap((vector) => [...vector])));
  const [query = new Float32Array()] = vectors;
  const exact = vectors.map((vector) =>
    vector.reduce((sum, each, at) => sum + each * (query[at] ?? 0), 0),
  );
  const found = dotProducts(halves, query);
  expect(found).toHaveLength(9);
  for (const [at, product] of found.entries()) expect(product).toBeCloseTo(exact[at] ?? 0, 2.5);
});
