import { messageOf } from '../../core/text/message-of.ts';
/** A file of the site, as its server sends it. */
export interface Fetched {
  /** Path from the site's origin, for messages. */
  path: string;
  /** Where redirects have led. */
  url: URL;
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** The bytes as UTF-8. */
  text: string;
}

/** How long a server may send nothing, milliseconds. */
const PATIENCE_MS = 30_000;

/** @throws Error if the server cannot be reached or sends nothing more */
export async function fetchFile(url: URL): Promise<Fetched> {
  const { status, headers, url: last, body } = await request(url);
  const bytes = await new Response(body).bytes().catch((error: unknown) => fail(url, error));
  const text = new TextDecoder().decode(bytes);
  return { path: url.pathname, url: new URL(last), status, headers, bytes, text };
}

/** The parts of a response that the doctor reads. */
type Received = Pick<Response, 'status' | 'ok' | 'headers' | 'url'> & {
  body: ReadableStream<Uint8Array> | undefined;
};

/**
 * Requests a file. Its body fails if the server sends nothing more.
 *
 * @throws Error if the server cannot be reached or sends nothing
 */
export async function request(url: URL): Promise<Received> {
  const silence = new AbortController();
  const reason = new Error(`the server sent nothing for ${PATIENCE_MS / 1000} seconds`);
  const timer = setTimeout(() => silence.abort(reason), PATIENCE_MS);
  const options = { cache: 'no-store', signal: silence.signal } as const;
  const response = await fetch(url, options).catch((error: unknown) => {
    clearTimeout(timer);
    return fail(url, error);
  });
  // A body may be left unread: the timer must not keep the process alive.
  timer.unref();
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      timer.refresh();
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
  const { status, ok, headers } = response;
  return { status, ok, headers, url: response.url, body: response.body?.pipeThrough(heard) };
}

function fail(url: URL, error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = messageOf(cause);
  throw new Error(`${url.href} cannot be fetched: ${why}`, { cause: error });
}

/** Whether a file is missing. Many servers then answer with a page. */
export function isMissing({ status, headers }: Pick<Fetched, 'status' | 'headers'>): boolean {
  return status === 404 || status === 410 || typeOf(headers) === 'text/html';
}

/** The MIME type without parameters. */
export function typeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').replace(/;.*/, '').trim().toLowerCase();
}
