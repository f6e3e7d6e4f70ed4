/** What is read at once, bytes. */
const PIECE = 1024 * 1024;

/**
 * Reads a Blob from its start to its end. Garbage is collected so late that most of a large file would pile up, so
 * all of it is read into the same memory, where the browser can do that.
 *
 * @param take - gets each piece, which is valid until `take` returns
 */
export async function readPieces(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  const reader = intoMemory(blob);
  if (!reader) return readCopies(blob, take);
  let buffer = new ArrayBuffer(PIECE);
  for (;;) {
    const { value, done } = await reader.read(new Uint8Array(buffer));
    if (done || !value) return;
    take(value);
    buffer = value.buffer;
  }
}

/** Undefined: the browser's Blobs cannot be read into given memory. */
function intoMemory(blob: Blob): ReadableStreamBYOBReader | undefined {
  const stream = blob.stream();
  try {
    return stream.getReader({ mode: 'byob' });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function readCopies(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  for (let start = 0; start < blob.size; start += PIECE) {
    const piece = await blob.slice(start, start + PIECE).arrayBuffer();
    take(new Uint8Array(piece));
    // This frees it now, in some browsers.
    piece.transfer(0);
  }
}
