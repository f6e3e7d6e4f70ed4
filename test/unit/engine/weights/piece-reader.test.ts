import { expect, test } from 'vitest';
import { readPieces } from '../../../../src/engine/weights/piece-reader.ts';

const CONTENT = Uint8Array.from({ length: 9_500_000 }, (_, index) => index % 251);

/** All pieces together. */
async function read(blob: Blob) {
  const pieces: Uint8Array[] = [];
  await readPieces(blob, (piece) => pieces.push(piece.slice()));
  return Buffer.concat(pieces);
}

test('a Blob is read from its start to its end, in pieces', async () => {
  const sizes: number[] = [];
  await readPieces(new Blob([CONTENT]), (piece) => sizes.push(piece.length));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect((await read(new Blob([CONTENT]))).equals(CONTENT)).toBe(true);
});

test('a Blob of several parts, and an empty one', async () => {
  const parts = [CONTENT.slice(0, 7), CONTENT.slice(7, 8_000_000), CONTENT.slice(8_000_000)];
  expect((await read(new Blob(parts))).equals(CONTENT)).toBe(true);
  expect((await read(new Blob())).length).toBe(0);
});

test('a Blob that cannot be read is an error', async () => {
  const blob = new Blob([CONTENT]);
  blob.slice = () => {
    throw new DOMException('It is gone.', 'NotReadableError');
  };
  await expect(readPieces(blob, () => undefined)).rejects.toThrow('It is gone.');
});
