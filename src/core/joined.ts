/** Bytes, one piece after the other. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(lengthOf(pieces));
  fill(all, pieces);
  return all;
}

/** Samples, one piece after the other. */
export function joinedSamples(pieces: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(lengthOf(pieces));
  fill(all, pieces);
  return all;
}

function lengthOf(pieces: readonly ArrayLike<number>[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function fill(all: Uint8Array | Float32Array, pieces: readonly ArrayLike<number>[]): void {
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
}
