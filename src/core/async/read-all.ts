import { joinedBytes } from '../joined.ts';

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
    if (!value) return pieces.length === 1 ? pieces[0] : joinedBytes(pieces);
    length += value.length;
    if (length > limit) {
      void reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}
