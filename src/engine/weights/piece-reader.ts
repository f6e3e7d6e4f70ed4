/** What is read at once, bytes. */
const PIECE = 4 * 1024 * 1024;

/**
 * Reads a Blob piece by piece.
 *
 * @param take - gets each piece, which is valid until `take` returns
 */
export async function readPieces(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  for (let start = 0; start < blob.size; start += PIECE) {
    const piece = await blob.slice(start, start + PIECE).arrayBuffer();
    take(new Uint8Array(piece));
    // This frees it now. Garbage is collected so late that most of a large file would pile up.
    piece.transfer(0);
  }
}
