/** A file of the site, as its server sends it. */
export interface Fetched {
  /** Path from the site's origin, for messages. */
  path: string;
  status: number;
  headers: Headers;
  /** Content of the file, if it is a text file. */
  text: string;
  wasRedirected: boolean;
}

/** Timeout of HEAD requests, milliseconds. */
const PATIENCE_MS = 30_000;

/** @throws Error if the server cannot be reached */
export async function fetchText(url: URL): Promise<Fetched> {
  const response = await request(url);
  const { status, headers, redirected: wasRedirected } = response;
  return { path: url.pathname, status, headers, text: await response.text(), wasRedirected };
}

/** @throws Error if the server cannot be reached */
export async function request(url: URL, method: 'GET' | 'HEAD' = 'GET'): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return await fetch(url, { method, cache: 'no-store', ...(method === 'HEAD' && { signal }) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${url.href} cannot be fetched: ${why}`, { cause: error });
  }
}

/** Whether a file is missing. Many servers then answer with a page. */
export function isMissing({ status, headers }: Pick<Fetched, 'status' | 'headers'>): boolean {
  return status === 404 || status === 410 || typeOf(headers) === 'text/html';
}

/** The MIME type without parameters. */
export function typeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').replace(/;.*/, '').trim().toLowerCase();
}
