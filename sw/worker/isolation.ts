/** The headers of these decide whether a page may use threads: the page itself, and its workers. */
const ISOLATED: ReadonlySet<RequestDestination> = new Set([
  ...(['document', 'iframe', 'frame', 'worker', 'sharedworker'] as const),
]);

/** Whether the answer to this request needs the headers that `isolated` adds. */
export function isIsolated({ url, destination }: Request): boolean {
  return ISOLATED.has(destination) && new URL(url).origin === location.origin;
}

/**
 * Adds the headers that make a page cross-origin isolated, and that its workers need then. A header that the server
 * sends itself stays.
 */
export async function isolated(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  // A redirect: the browser follows it.
  if (response.status === 0) return response;
  const changed = new Response(response.body, response);
  for (const [name, value] of Object.entries(isolatingHeaders())) {
    if (!changed.headers.has(name)) changed.headers.set(name, value);
  }
  return changed;
}

function isolatingHeaders(): Record<string, string> {
  // WebKit, which is every browser on iOS, knows `require-corp` only.
  const isWebKit = !/Chrome\/|Firefox\//.test(navigator.userAgent);
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': isWebKit ? 'require-corp' : 'credentialless',
  };
}
