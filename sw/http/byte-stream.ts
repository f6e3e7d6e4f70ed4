/** How much of an answer may wait for its reader, bytes; beyond that, the engine is not asked for more. */
const WINDOW_BYTES = 256 * 1024;

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A stream of the bytes that `produce` writes, and at the end of those that it returns. If `produce` throws, the stream
 * fails with its error. A write resolves when the reader is not far behind. The stream closes in the same step as the
 * last bytes are sent: a cancel after that is not a disconnect.
 */
export function byteStream(
  produce: (write: (bytes: Bytes) => Promise<void>) => Promise<Bytes | undefined>,
  onCancel: () => void,
): ReadableStream<Bytes> {
  let isOpen = true;
  let room = Promise.withResolvers<void>();
  const source: UnderlyingDefaultSource<Bytes> = {
    start(controller) {
      const write = async (bytes: Bytes) => {
        if (isOpen) controller.enqueue(bytes);
        if (isOpen && (controller.desiredSize ?? 0) <= 0) await room.promise;
      };
      const end = (last: Bytes | undefined) => {
        if (isOpen && last) controller.enqueue(last);
        if (isOpen) controller.close();
        isOpen = false;
      };
      const fail = (error: unknown) => {
        if (isOpen) controller.error(error);
        isOpen = false;
      };
      // Not awaited: some browsers cannot cancel a stream whose start is pending.
      void produce(write).then(end, fail);
    },
    pull() {
      room.resolve();
      room = Promise.withResolvers();
    },
    cancel() {
      if (isOpen) onCancel();
      isOpen = false;
      room.resolve();
    },
  };
  return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: WINDOW_BYTES }));
}

/** Like `byteStream`, for text, which is sent in UTF-8. */
export function textStream(
  produce: (write: (text: string) => Promise<void>) => Promise<string>,
  onCancel: () => void,
): ReadableStream<Bytes> {
  const encoder = new TextEncoder();
  return byteStream(
    async (write) => encoder.encode(await produce((text) => write(encoder.encode(text)))),
    onCancel,
  );
}
