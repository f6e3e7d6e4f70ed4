type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Callbacks for a body while it is passed on. */
export interface Passing {
  /** The reader wants the next bytes. @param fail - ends the body with an error, at any time */
  onWanted?: (fail: (error: Error) => void) => void;
  /** Bytes that will be passed on next. */
  onBytes?: (bytes: Uint8Array) => void;
  /** All bytes were passed on. @throws Error that the reader gets in the place of the end */
  onDone?: () => void;
  /**
   * Nothing more of the body will be read. May be called twice.
   *
   * @param isCancelled - whether the reader has cancelled the body
   */
  onEnd?: (isCancelled: boolean) => void;
}

/** The callbacks by bodies that are already passed on: each further stream would delay every piece. */
const passings = new WeakMap<Body, Passing[]>();

/** Passes on the same bytes, unbuffered. */
export function passing(body: Body, added: Passing): Body {
  const known = passings.get(body);
  if (known) {
    known.push(added);
    return body;
  }
  const all = [added];
  const reader = body.getReader();
  const end = (isCancelled: boolean) => all.forEach(({ onEnd }) => onEnd?.(isCancelled));
  // Only this tells of an error while nobody reads.
  reader.closed.catch(() => end(false));
  const passed: Body = new ReadableStream(
    {
      async pull(controller) {
        const fail = (error: Error) => {
          controller.error(error);
          // The source ends, because nobody reads the rest.
          reader.cancel(error).catch(() => undefined);
          end(false);
        };
        for (const { onWanted } of all) onWanted?.(fail);
        const { value, done } = await reader.read();
        if (done) {
          end(false);
          for (const { onDone } of all) onDone?.();
          return controller.close();
        }
        for (const { onBytes } of all) onBytes?.(value);
        controller.enqueue(value);
      },
      cancel(reason) {
        end(true);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  passings.set(passed, all);
  return passed;
}
