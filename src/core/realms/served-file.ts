import { readAll } from '../async/read-all.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** If a server has sent nothing for so long, milliseconds, the request of one of the site's files has failed. */
const SILENT_SERVER_MS = 15_000;

/** What helps if a site lacks a file of slashv1, or has a damaged one. */
export const INIT_AGAIN = 'Run `npx slashv1 init` with the folder that is served there.';

/** What is said of a file that no response came for. */
export const NOT_FETCHED = 'cannot be fetched: the network or the server fails.';

/** A file as the site's server sends it, whole. */
export interface ServedFile {
  status: number;
  headers: Headers;
  bytes: Bytes;
}

/**
 * Fetches a file of the site. Browsers wait for minutes for a server that says nothing, and Chromium 156 can wait without
 * end after a connection broke: here, the request fails after 15 seconds in which nothing came.
 *
 * @throws Error if the file cannot be had, or not in its whole length
 */
export async function fetchServed(url: URL, cache: RequestCache = 'default'): Promise<ServedFile> {
  const request = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const hear = () => {
    clearTimeout(silence);
    silence = setTimeout(() => request.abort(), SILENT_SERVER_MS);
  };
  hear();
  try {
    const { status, headers, body } = await fetch(url, { cache, signal: request.signal });
    const heard = new TransformStream<Bytes, Bytes>({
      transform(piece, controller) {
        hear();
        controller.enqueue(piece);
      },
    });
    const bytes = body ? await readAll(body.pipeThrough(heard)) : new Uint8Array();
    return { status, headers, bytes };
  } finally {
    clearTimeout(silence);
  }
}

/** Whether the response is a page of HTML: some servers answer with one for a missing file. */
export function isPage({ headers }: Pick<Response, 'headers'>): boolean {
  return /^text\/html/i.test(headers.get('content-type') ?? '');
}

/**
 * Why a response is not the file that was asked for; undefined: it may be the file.
 *
 * @param help - what to do about a missing file
 */
export function notServed(
  response: Pick<Response, 'status' | 'headers'>,
  help = INIT_AGAIN,
): string | undefined {
  const { status } = response;
  if (status === 404 || status === 410) return `is missing. ${help}`.trimEnd();
  if (status !== 200) return `cannot be had: its server answers ${status}.`;
  if (isPage(response))
    return `is missing: the server sends a page in its place. ${help}`.trimEnd();
  return undefined;
}
