import type { Slashv1 } from './api.ts';

/** Finds the handler of requests to a URL; undefined: there is no handler. */
type Find = (url: URL) => ((request: Request) => Promise<Response>) | undefined;

/**
 * `fetch` for requests below the base URL, and the page's own `fetch` for all others.
 *
 * @param load - loads the handler of requests below the base URL
 * @param intercepting - finds the handler of requests to other services
 */
export function pageFetch(
  baseURL: string,
  load: () => Promise<(request: Request) => Promise<Response>>,
  intercepting?: Find,
): Slashv1['fetch'] {
  // A page may replace the global `fetch` with the new function.
  const { fetch } = globalThis;
  let loading: ReturnType<typeof load> | undefined;
  return async (input, init) => {
    const address = typeof input === 'object' && 'url' in input ? input.url : input;
    const url = new URL(address, document.baseURI);
    const answer = intercepting?.(url);
    if (answer) return answer(new Request(input, init));
    const [place] = url.href.split(/[?#]/, 1);
    if (!`${place}/`.startsWith(`${baseURL}/`)) return fetch(input, init);
    const request = new Request(input, init);
    loading ??= load();
    loading.catch(() => (loading = undefined));
    return (await loading)(request);
  };
}
