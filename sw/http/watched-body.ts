/**
 * The same body, unbuffered.
 *
 * @param onEnd - called when nothing more of it will be read: whether its reader has cancelled it
 */
export function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: (isCancelled: boolean) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  // The only event of an error while nobody reads.
  reader.closed.catch(() => onEnd(false));
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd(false);
      },
      cancel(reason) {
        onEnd(true);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
