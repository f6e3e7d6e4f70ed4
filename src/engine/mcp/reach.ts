import { delay } from '../../core/async/delay.ts';

/** A server cannot be reached. The message says what the site or the server has to change. */
export class Unreachable extends Error {}

/** What tells of requests that a Content-Security-Policy has blocked: a worker, or nothing in Node. */
export type PolicyScope = Pick<EventTarget, 'addEventListener'>;

/** Browsers report a blocked request some tasks after it has failed. They are waited for no longer, milliseconds. */
const REPORT_MS = 1_000;

/** What keeps a request from telling more than it says, and from reaching another server. */
const ALONE = {
  redirect: 'error',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const;

/**
 * A `fetch` for the requests to a server. Nothing but the given headers is sent: no cookies, no referrer. A redirect
 * fails, because it could lead to a server that the site has not listed.
 *
 * @param scope - reports violations of a policy; undefined: nothing does
 */
export function fetchOf(scope: PolicyScope | undefined): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const { method = 'GET', headers, signal = null } = init ?? {};
    // Servers may offer a stream of their own requests. Nothing here reads it; it would hold a connection.
    if (method === 'GET' && !new Headers(headers).has('last-event-id')) {
      return new Response(null, { status: 405 });
    }
    const watch = new AbortController();
    const blocked = scope && blocking(scope, new URL(url).origin, watch.signal);
    try {
      return await fetch(input, { ...init, ...ALONE });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(await reason(url, blocked, watch.signal, signal), { cause: error });
    } finally {
      watch.abort();
    }
  };
}

/** Why a request has failed, as far as that can be told: browsers do not tell scripts. */
async function reason(
  url: string,
  blocked: Promise<true> | undefined,
  watch: AbortSignal,
  signal: AbortSignal | null,
): Promise<string> {
  const { origin } = new URL(url);
  const cors = 'by CORS the origin of this site, the method POST and the headers of the request';
  // A request without content needs no permission for its headers.
  const answers = await fetch(url, { method: 'HEAD', signal, ...ALONE }).then(
    () => true,
    () => false,
  );
  if (answers) return `${origin} answers, but it does not allow ${cors}, or it redirects.`;
  const isBlocked = blocked && (await Promise.race([blocked, delay(REPORT_MS, watch)])) === true;
  return isBlocked
    ? `The Content-Security-Policy of this site blocks ${origin}: its connect-src must allow it.`
    : `${origin} gave no answer that this site may read: it cannot be reached, it redirects, or it does not allow ${cors}.`;
}

/** Resolves when a policy has blocked a request to the origin. */
function blocking(scope: PolicyScope, origin: string, signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    const take = (event: Event) => {
      if (!('blockedURI' in event && 'effectiveDirective' in event)) return;
      const uri = String(event.blockedURI);
      const isOfOrigin = URL.canParse(uri) && new URL(uri).origin === origin;
      if (event.effectiveDirective === 'connect-src' && isOfOrigin) resolve(true);
    };
    scope.addEventListener('securitypolicyviolation', take, { signal });
  });
}
