import { expect, test } from 'vitest';
import { readAll } from '../../../../src/core/async/read-all.ts';

const PIECES = [[1, 2], [], [3], [4, 5, 6]].map((piece) => Uint8Array.from(piece));

function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test('pieces are joined', async () => {
  expect(await readAll(streamOf(PIECES), 6)).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
});

test('nothing, and a single piece', async () => {
  expect(await readAll(streamOf([]), 0)).toEqual(new Uint8Array());
  expect(await readAll(streamOf([Uint8Array.of(7)]), 1)).toEqual(Uint8Array.of(7));
});

test('a stream with more bytes is not read to its end', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(Uint8Array.of(1, 2)),
    cancel: () => void (isCancelled = true),
  });
  expect(await readAll(stream, 5)).toBeUndefined();
  expect(isCancelled).toBe(true);
});
