import { describe, expect, test } from 'vitest';
import { readPieces } from '../../../../../src/engine/download/transfer/piece-reader.ts';

const CONTENT = Uint8Array.from({ length: 9_500_000 }, (_, index) => index % 251);

/** All pieces together. */
async function read(blob: Blob) {
  const pieces: Uint8Array[] = [];
  await readPieces(blob, (piece) => pieces.push(piece.slice()));
  return Buffer.concat(pieces);
}

/** Mimics browsers whose streams of Blobs cannot fill a given buffer. */
function withPlainStream(blob: Blob): Blob {
  blob.stream = () => new ReadableStream();
  return blob;
}

describe.each([
  { name: 'streams that fill a buffer', blobOf: (...parts: BlobPart[]) => new Blob(parts) },
  { name: 'plain streams', blobOf: (...parts: BlobPart[]) => withPlainStream(new Blob(parts)) },
])('with $name', ({ blobOf }) => {
  test('a Blob is read from its start to its end, in pieces', async () => {
    const sizes: number[] = [];
    await readPieces(blobOf(CONTENT), (piece) => sizes.push(piece.length));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
    expect((await read(blobOf(CONTENT))).equals(CONTENT)).toBe(true);
  });

  test('a Blob of several parts, and an empty one', async () => {
    const parts = [CONTENT.slice(0, 7), CONTENT.slice(7, 8_000_000), CONTENT.slice(8_000_000)];
    expect((await read(blobOf(...parts))).equals(CONTENT)).toBe(true);
    expect((await read(blobOf())).length).toBe(0);
  });
});

test('pieces share one buffer where streams fill it', async () => {
  const buffers = new Set<ArrayBufferLike>();
  let largest = 0;
  await readPieces(new Blob([CONTENT]), ({ buffer }) => {
    buffers.add(buffer);
    largest = Math.max(largest, [...buffers].filter(({ byteLength }) => byteLength > 0).length);
  });
  expect(buffers.size).toBeGreaterThan(1);
  expect(largest).toBe(1);
});

test.each(['stream', 'slice'] as const)('an error of %s is thrown', async (method) => {
  const blob = method === 'slice' ? withPlainStream(new Blob([CONTENT])) : new Blob([CONTENT]);
  const gone = new DOMException('It is gone.', 'NotReadableError');
  if (method === 'stream') {
    blob.stream = () =>
      new ReadableStream({ type: 'bytes', start: (controller) => controller.error(gone) });
  } else {
    blob.slice = () => {
      throw gone;
    };
  }
  await expect(readPieces(blob, () => undefined)).rejects.toThrow('It is gone.');
});
