/** Bytes, one piece after the other. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return filled(new Uint8Array(lengthOf(pieces)), pieces);
}

/** Samples, one piece after the other. */
export function joinedSamples(pieces: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  return filled(new Float32Array(lengthOf(pieces)), pieces);
}

function lengthOf(pieces: readonly ArrayLike<number>[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function filled<T extends Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(
  all: T,
  pieces: readonly ArrayLike<number>[],
): T {
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
