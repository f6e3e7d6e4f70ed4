/** A server cannot be reached. The message says what the site or the server has to change. */
export class Unreachable extends Error {}

/** What tells of requests that a Content-Security-Policy has blocked: a worker, or nothing in Node. */
export type PolicyScope = Pick<EventTarget, 'addEventListener'>;

/**
 * A `fetch` for the requests to a server. Nothing but the given headers is sent: no cookies, no referrer. A redirect
 * fails, because it could lead to a server that the site has not listed.
 *
 * @param scope - reports violations of a policy; undefined: nothing does
 */
export function fetchOf(scope: PolicyScope | undefined): typeof fetch {
  const blocked = new Set<string>();
  scope?.addEventListener('securitypolicyviolation', (event) => {
    if (!('blockedURI' in event && 'effectiveDirective' in event)) return;
    if (event.effectiveDirective === 'connect-src') blocked.add(originOf(String(event.blockedURI)));
  });
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const { method = 'GET', headers, signal } = init ?? {};
    // Servers may offer a stream of their own requests. Nothing here reads it; it would hold a connection.
    if (method === 'GET' && !new Headers(headers).has('last-event-id')) {
      return new Response(null, { status: 405 });
    }
    try {
      return await fetch(input, {
        ...init,
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(await reason(url, blocked, signal), { cause: error });
    }
  };
}

/** Why a request has failed. Browsers do not tell scripts. */
async function reason(
  url: string,
  blocked: ReadonlySet<string>,
  signal: AbortSignal | null | undefined,
): Promise<string> {
  const { origin } = new URL(url);
  // An answer that no script can read says at least that the server is there. This sends nothing of the request.
  const answers = await fetch(url, {
    method: 'HEAD',
    mode: 'no-cors',
    redirect: 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    ...(signal && { signal }),
  }).then(
    () => true,
    () => false,
  );
  // Only now, after a second answer of the network, is it certain that a violation has been reported.
  if (blocked.has(origin)) {
    return `The Content-Security-Policy of this site blocks ${origin}: its connect-src must allow it.`;
  }
  if (answers) {
    return (
      `${origin} answers, but not to this site: it redirects, or it does not allow the site's origin, the method or ` +
      'the headers by CORS (Access-Control-Allow-Origin, -Methods, -Headers; it must expose mcp-session-id).'
    );
  }
  return `${origin} cannot be reached: the server or the network fails.`;
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : uri;
}
