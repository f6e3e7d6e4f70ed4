import { passing } from '../http/passing-body.ts';

/** How the last event of a stream begins, in each API, also if the stream ends with an error. */
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
 * Passes on a stream of events byte for byte. The stream fails if it ends before its last event, or is silent for too
 * long. A server that dies may close the connection as if its answer were complete, or leave it open.
 *
 * @param path - path of the endpoint; streams of other endpoints are not checked
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
  /** Since when the client waits; undefined: it does not. */
  let since: number | undefined;
  // One timer for all events: each timer would cost time.
  let timer: ReturnType<typeof setTimeout> | undefined;
  return passing(body, {
    onWanted(fail) {
      since = performance.now();
      const check = (ms: number) => {
        timer = setTimeout(() => {
          timer = undefined;
          if (since === undefined) return;
          const left = since + silenceMs - performance.now();
          if (left > 0) check(left);
          else fail(new TypeError(`The upstream '${name}' fell silent in its answer.`));
        }, ms);
      };
      if (timer === undefined) check(silenceMs);
    },
    onBytes(bytes) {
      since = undefined;
      if (isWhole) return;
      const text = tail + decoder.decode(bytes);
      isWhole = last.test(text);
      tail = text.slice(-TAIL);
    },
    onDone() {
      if (!isWhole) throw new TypeError(`The upstream '${name}' broke off its answer.`);
    },
    onEnd: () => clearTimeout(timer),
  });
}
