import type { Slashv1 } from './api.ts';

/** What answers a request to this address. */
type Find = (url: URL) => ((request: Request) => Promise<Response>) | undefined;

/**
 * `fetch` for requests below the base URL, and the page's own `fetch` for all others.
 *
 * @param load - gives what answers requests below the base URL
 * @param intercepting - finds what answers requests to other services
 */
export function pageFetch(
  baseURL: string,
  load: () => Promise<(request: Request) => Promise<Response>>,
  intercepting?: Find,
): Slashv1['fetch'] {
  // A page may put the new function in the place of this one.
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
