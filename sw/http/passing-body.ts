type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What is done with a body while it is passed on. */
export interface Passing {
  /** Its reader wants the next bytes. @param fail - ends the body with an error, at any time */
  onWanted?: (fail: (error: Error) => void) => void;
  /** Bytes that will be passed on next. */
  onBytes?: (bytes: Uint8Array) => void;
  /** All bytes were passed on. @throws Error that the reader gets in the place of the end */
  onDone?: () => void;
  /** Nothing more of it will be read, perhaps called twice: whether its reader has cancelled it. */
  onEnd?: (isCancelled: boolean) => void;
}

/** By bodies that are passed on already: each further stream would make every piece later. */
const passings = new WeakMap<Body, Passing[]>();

/** The same bytes, unbuffered. */
export function passing(body: Body, added: Passing): Body {
  const known = passings.get(body);
  if (known) {
    known.push(added);
    return body;
  }
  const all = [added];
  const reader = body.getReader();
  const end = (isCancelled: boolean) => all.forEach(({ onEnd }) => onEnd?.(isCancelled));
  // The only event of an error while nobody reads.
  reader.closed.catch(() => end(false));
  const passed: Body = new ReadableStream(
    {
      async pull(controller) {
        const fail = (error: Error) => {
          controller.error(error);
          // Nobody reads the rest: its source ends.
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
