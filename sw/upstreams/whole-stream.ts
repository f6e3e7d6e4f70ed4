import { inTime } from '../../src/core/async/in-time.ts';

/** What the last event of a stream begins with: in each API, and when it ends by an error. */
const LAST_EVENTS = [
  { path: /^v1\/(?:chat\/)?completions$/, last: /[\r\n]data: ?(?:\[DONE\]|\{"error")/ },
  {
    path: /^v1\/responses$/,
    last: /[\r\n]event: ?(?:response\.(?:completed|failed|incomplete)|error)/,
  },
  { path: /^v1\/messages$/, last: /[\r\n]event: ?(?:message_stop|error)/ },
];

/** Longer than the beginning of any last event, which may arrive in two pieces. */
const TAIL = 64;

/**
 * The stream of events, byte for byte; but it fails if it ends before its last event, or is silent for too long. A server
 * that dies may close the connection as if its answer were complete, or leave it open.
 *
 * @param path - of the endpoint; streams of others are as they are
 * @param silenceMs - how long the next bytes may take while the client waits for them, milliseconds
 */
export function wholeStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  path: string,
  name: string,
  silenceMs: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const last = LAST_EVENTS.find((each) => each.path.test(path))?.last;
  if (!last) return body;
  const decoder = new TextDecoder('latin1');
  let tail = '\n';
  let isWhole = false;
  const note = (chunk: Uint8Array) => {
    const text = tail + decoder.decode(chunk);
    isWhole ||= last.test(text);
    tail = text.slice(-TAIL);
  };
  const reader = body.getReader();
  /** Nobody reads the rest: the request ends. */
  const end = (error: unknown) => {
    reader.cancel(error).catch(() => undefined);
    throw error;
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const silence = () => new TypeError(`The upstream '${name}' fell silent in its answer.`);
        const { value, done } = await inTime(reader.read(), silenceMs, silence).catch(end);
        if (done && !isWhole) throw new TypeError(`The upstream '${name}' broke off its answer.`);
        if (done) return controller.close();
        controller.enqueue(value);
        if (!isWhole) note(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
