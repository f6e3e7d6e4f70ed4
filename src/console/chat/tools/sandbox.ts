/** The frame may run what it is given, and load nothing. Workers have the policy of the frame that starts them. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; worker-src data:";

/** Code that runs longer is ended, milliseconds. */
const MOST_MS = 10_000;
/** No model's context holds a longer result, characters. */
const MOST_RESULT = 200_000;

/** The script of the worker: runs the code once, and answers on the port that comes with it. */
const WORKER = `onmessage = async ({ data: { code, given }, ports: [port] }) => {
  try {
    const AsyncFunction = (async () => {}).constructor;
    const result = JSON.stringify(await new AsyncFunction('args', code)(given)) ?? 'null';
    port.postMessage(result.length > ${MOST_RESULT} ? { error: 'The result is too long.' } : { result });
  } catch (error) {
    port.postMessage({ error: String(error).slice(0, 2000) });
  }
};`;

/** The worker's script is a `data:` URL, because WebKit starts none of a `blob:` URL in a frame of an isolated page. */
const SCRIPT = `data:text/javascript,${encodeURIComponent(WORKER)}`;
const DOCUMENT = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>
onmessage = ({ data, ports }) => new Worker(${JSON.stringify(SCRIPT)}).postMessage(data, ports);
</script>`;

/** What the worker answers: the result as JSON, or what the code has thrown. */
type Ended = { result: string } | { error: string };

/**
 * Runs JavaScript in a worker of a frame without an origin: it reaches neither this page, its storage and the API, nor
 * the network.
 *
 * @param code - the body of an async function that gets `args`
 * @param given - `args`
 * @returns what it returns, as JSON
 * @throws Error for the model: what the code throws, or that it took too long; the signal's reason
 */
export async function runInSandbox(
  code: string,
  given: unknown,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.hidden = true;
  frame.srcdoc = DOCUMENT;
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  port1.onmessage = ({ data }: MessageEvent<Ended>) => resolve(data);
  // The frame has no origin that could be named.
  const begin = () => frame.contentWindow?.postMessage({ code, given }, '*', [port2]);
  frame.addEventListener('load', begin, { once: true });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const timer = setTimeout(
    () => resolve({ error: `It was ended: it ran for more than ${MOST_MS / 1000} seconds.` }),
    MOST_MS,
  );
  try {
    document.body.append(frame);
    const ended = await promise;
    if ('error' in ended) throw new Error(ended.error);
    return ended.result;
  } finally {
    // A worker ends with the frame that has started it, also in an endless loop.
    frame.remove();
    port1.close();
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
