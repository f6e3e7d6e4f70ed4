/** What is read at once at most, bytes. Browsers often give less. */
const PIECE = 1024 * 1024;

/**
 * Reads a Blob piece by piece.
 *
 * @param take - gets each piece, which is valid until `take` returns
 */
export async function readPieces(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  const reader = bytesReader(blob.stream());
  return reader ? readIntoOneBuffer(reader, take) : readBuffers(blob, take);
}

/** Undefined if the browser's streams of Blobs cannot fill a given buffer. */
function bytesReader(stream: ReadableStream): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/**
 * All pieces come in the same buffer. With a buffer for each of them, Chromium would keep most of a large file in
 * memory until it collects garbage, even of buffers that were transferred; and it takes twice as long.
 */
async function readIntoOneBuffer(
  reader: ReadableStreamBYOBReader,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  let buffer = new ArrayBuffer(PIECE);
  for (;;) {
    const { value, done } = await reader.read(new Uint8Array(buffer));
    if (done) return;
    take(value);
    buffer = value.buffer;
  }
}

async function readBuffers(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  for (let start = 0; start < blob.size; start += PIECE) {
    const piece = await blob.slice(start, start + PIECE).arrayBuffer();
    take(new Uint8Array(piece));
    piece.transfer(0);
  }
}
