import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HASHED_PIECE } from '../../../../../src/core/catalog/pack-file.ts';
import { PieceHashes } from '../../../../../src/engine/download/transfer/piece-hashes.ts';
import { randomBytes } from '../../../../support/servers/file-source.ts';

const BYTES = randomBytes(2 * HASHED_PIECE + 1000, 1);
const HASHES = [0, 1, 2].map((n) => {
  const piece = BYTES.subarray(n * HASHED_PIECE, (n + 1) * HASHED_PIECE);
  return createHash('sha256').update(piece).digest('hex');
});

/** In one buffer that is used again, as a download gives them. */
async function matches(bytes: Uint8Array, step: number): Promise<boolean> {
  const hashes = new PieceHashes(HASHES);
  const buffer = new Uint8Array(step);
  for (let at = 0; at < bytes.length; at += step) {
    const next = bytes.subarray(at, at + step);
    buffer.set(next);
    hashes.update(buffer.subarray(0, next.length));
    await hashes.caughtUp();
    buffer.fill(0);
  }
  return hashes.match();
}

test.each([1_000_003, HASHED_PIECE, BYTES.length])(
  'the pieces of a file match that comes in steps of %i bytes',
  async (step) => expect(await matches(BYTES, step)).toBe(true),
);

test.each([0, HASHED_PIECE, BYTES.length - 1])('not if byte %i is another one', async (at) => {
  const wrong = new Uint8Array(BYTES);
  wrong.fill((BYTES[at] ?? 0) ^ 1, at, at + 1);
  expect(await matches(wrong, 1_000_000)).toBe(false);
});

test('not if the file ends after a piece, or goes on', async () => {
  expect(await matches(BYTES.subarray(0, 2 * HASHED_PIECE), 1_000_000)).toBe(false);
  const longer = new Uint8Array(4 * HASHED_PIECE);
  longer.set(BYTES);
  expect(await matches(longer, 1_000_000)).toBe(false);
});
