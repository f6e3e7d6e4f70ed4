import { orAborted } from '../../src/core/async/or-aborted.ts';

type App = (request: Request) => Promise<Response>;

/**
 * Does what the browser does between a page's fetch and the service worker: if the request's signal aborts, the
 * page's promise or the stream that it reads fails with the signal's reason, and the answer is cancelled.
 */
export function likeFetch(app: App): App {
  return async (request) => {
    const { signal, url } = request;
    signal.throwIfAborted();
    const answer = app(request);
    const response = await orAborted(answer, signal).catch((error: unknown) => {
      void answer.then(({ body }) => body?.cancel(error));
      throw error;
    });
    const body = response.body?.pipeThrough(new TransformStream(), { signal }) ?? null;
    const [value] = url.split('#', 1);
    return Object.defineProperty(new Response(body, response), 'url', { value });
  };
}
