/** How much of an answer may wait for its reader, bytes; beyond that, the engine is not asked for more. */
const WINDOW_BYTES = 256 * 1024;

/** A part of a body. Text is sent in UTF-8. */
export type Piece = Uint8Array<ArrayBuffer> | string;

const encoder = new TextEncoder();

/**
 * A stream of what `produce` writes, and at the end of what it returns. If `produce` throws, the stream fails with its
 * error. A write resolves when the reader is not far behind. The stream closes in the same step as the last bytes are
 * sent: a cancel after that is not a disconnect.
 */
export function byteStream(
  produce: (write: (piece: Piece) => Promise<void>) => Promise<Piece | undefined>,
  onCancel: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOpen = true;
  let room = Promise.withResolvers<void>();
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    start(controller) {
      const write = async (piece: Piece) => {
        if (isOpen) controller.enqueue(bytesOf(piece));
        if (isOpen && (controller.desiredSize ?? 0) <= 0) await room.promise;
      };
      const end = (last: Piece | undefined) => {
        if (isOpen && last) controller.enqueue(bytesOf(last));
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

function bytesOf(piece: Piece): Uint8Array<ArrayBuffer> {
  return typeof piece === 'string' ? encoder.encode(piece) : piece;
}
