type App = (request: Request) => Promise<Response>;

/**
 * The `fetch` of a page whose service worker is the app, as the app sees it. An abort is invisible on the
 * request: the page's promise rejects at once, and the body of the answer is cancelled as soon as there is
 * an answer.
 */
export function browserFetch(app: App): typeof fetch {
  return async (input, init = {}) => {
    const { signal, ...rest } = init;
    if (!signal) return app(new Request(input, rest));
    signal.throwIfAborted();
    const answer = app(new Request(input, rest));
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    const response = await Promise.race([answer, aborted]).catch(async (error: unknown) => {
      void answer.then(({ body }) => body?.cancel());
      throw error;
    });
    return response.body ? new Response(cancelledBy(signal, response.body), response) : response;
  };
}

function cancelledBy(
  signal: AbortSignal,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    start(controller) {
      const onAbort = () => {
        // The cancel fails if the stream has failed before.
        reader.cancel().catch(() => undefined);
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
