/** Most bytes of one read. Browsers often give less. */
const PIECE = 1024 * 1024;

/**
 * Reads a stream piece by piece. If the browser can fill a given buffer, all pieces share one. With a buffer for each
 * piece, Chromium would keep most of a large file in memory until it collects garbage, even if the buffers were
 * transferred; and reading a Blob would take twice as long.
 */
export class PieceReader {
  readonly #fills: ReadableStreamBYOBReader | undefined;
  readonly #gives: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  #buffer = new ArrayBuffer();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#fills = bytesReader(stream);
    if (!this.#fills) this.#gives = stream.getReader();
  }

  get reusesBuffer(): boolean {
    return this.#fills !== undefined;
  }

  /** The next piece, which is valid until the next call; undefined at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!this.#fills) return (await this.#gives?.read())?.value;
    if (this.#buffer.byteLength === 0) this.#buffer = new ArrayBuffer(PIECE);
    const { value, done } = await this.#fills.read(new Uint8Array(this.#buffer));
    if (done) return undefined;
    this.#buffer = value.buffer;
    return value;
  }
}

type TakePiece = (piece: Uint8Array<ArrayBuffer>) => unknown;

/**
 * Reads a Blob piece by piece.
 *
 * @param take - gets each piece, which is valid until `take` is done
 */
export async function readPieces(blob: Blob, take: TakePiece): Promise<void> {
  const reader = new PieceReader(blob.stream());
  if (!reader.reusesBuffer) return readBuffers(blob, take);
  for (let piece = await reader.next(); piece; piece = await reader.next()) await take(piece);
}

/** Undefined if the browser's streams of this kind cannot fill a given buffer. */
function bytesReader(stream: ReadableStream): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

async function readBuffers(blob: Blob, take: TakePiece): Promise<void> {
  for (let start = 0; start < blob.size; start += PIECE) {
    const piece = await blob.slice(start, start + PIECE).arrayBuffer();
    await take(new Uint8Array(piece));
    piece.transfer(0);
  }
}
