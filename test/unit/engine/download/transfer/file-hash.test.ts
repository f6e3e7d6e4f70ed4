import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FileHash } from '../../../../../src/engine/download/transfer/file-hash.ts';
import { randomBytes } from '../../../../support/servers/file-source.ts';

const BYTES = new Uint8Array(randomBytes(100_000, 1));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

async function hashOf(size: number, pieces: Uint8Array<ArrayBuffer>[], hash = new FileHash()) {
  await hash.restart({ size });
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

const halves = [BYTES.subarray(0, 40_000), BYTES.subarray(40_000)];

test.each([
  ['that fits into memory', BYTES.length],
  ['of unknown size', 0],
  ['too large to be kept', 2 ** 40],
])('hashes a file %s as it comes', async (_name, size) => {
  expect(await hashOf(size, halves)).toBe(SHA256);
});

test('hashes larger and smaller files one after another', async () => {
  const hash = new FileHash();
  for (const bytes of [BYTES.subarray(0, 10), BYTES, BYTES.subarray(0, 5000), BYTES]) {
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(await hashOf(bytes.length, [bytes], hash)).toBe(expected);
    expect(await hashOf(0, [bytes], hash)).toBe(expected);
  }
});

test('a restart forgets the bytes before it', async () => {
  const hash = new FileHash();
  await hash.restart({ size: BYTES.length });
  hash.update(new Uint8Array(randomBytes(50_000, 2)));
  expect(await hashOf(BYTES.length, halves, hash)).toBe(SHA256);
});

test('a file may be shorter or longer than expected', async () => {
  expect(await hashOf(BYTES.length + 1, halves)).toBe(SHA256);
  expect(await hashOf(BYTES.length, [...halves, ...halves])).toBe(SHA256);
});
