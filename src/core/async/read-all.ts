type Bytes = Uint8Array<ArrayBuffer>;

/** All bytes of the stream. */
export function readAll(stream: ReadableStream<Bytes>): Promise<Bytes>;
/** All bytes of the stream. If there are more than the limit, stops reading and returns undefined. */
export function readAll(stream: ReadableStream<Bytes>, limit: number): Promise<Bytes | undefined>;
export async function readAll(
  stream: ReadableStream<Bytes>,
  limit = Infinity,
): Promise<Bytes | undefined> {
  const reader = stream.getReader();
  const pieces: Bytes[] = [];
  let length = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return joined(pieces, length);
    length += value.length;
    if (length > limit) {
      void reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}

function joined(pieces: readonly Bytes[], length: number): Bytes {
  const [first] = pieces;
  if (first?.length === length) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
