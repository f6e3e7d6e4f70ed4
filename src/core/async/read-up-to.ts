/** What the stream holds; undefined: more bytes than the limit, behind which it is not read. */
export async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader();
  const bytes = new Uint8Array(limit);
  let length = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return bytes.slice(0, length);
    if (length + value.length > limit) {
      void reader.cancel();
      return undefined;
    }
    bytes.set(value, length);
    length += value.length;
  }
}
