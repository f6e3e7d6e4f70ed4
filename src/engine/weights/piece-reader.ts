/** What is read at once, bytes. */
const PIECE = 1024 * 1024;

/**
 * Reads a stream piece by piece. Garbage is collected so late that most of a large file would pile up, so all pieces
 * are read into the same memory, where the browser can do that.
 */
export class PieceReader {
  readonly #read: () => Promise<ReadableStreamReadResult<Uint8Array>>;

  constructor(stream: ReadableStream<Uint8Array>) {
    const reader = intoMemory(stream);
    if (!reader) {
      const copying = stream.getReader();
      this.#read = () => copying.read();
      return;
    }
    let buffer = new ArrayBuffer(PIECE);
    this.#read = async () => {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done || !value) return { done: true, value: undefined };
      buffer = value.buffer;
      return { done, value };
    };
  }

  /** The next piece, which is valid until the next one is read; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    return (await this.#read()).value;
  }
}

/** @param take - gets each piece of the Blob, which is valid until `take` returns */
export async function readPieces(blob: Blob, take: (piece: Uint8Array) => void): Promise<void> {
  const reader = new PieceReader(blob.stream());
  for (let piece = await reader.next(); piece; piece = await reader.next()) take(piece);
}

/** Undefined: the stream cannot be read into given memory. */
function intoMemory(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
