import { readAll } from '../async/read-all.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** If a server has sent nothing for so long, milliseconds, the last request of one of the site's files has failed. */
export const SILENT_SERVER_MS = 15_000;

/** If no answer has begun for so long, milliseconds, the file is asked for once more. */
export const UNANSWERED_MS = 5_000;

/** The site's server says nothing. */
export class SilentServer extends Error {}

/** No answer has begun. */
class Unanswered extends SilentServer {}

/** A file as the site's server sends it, whole. */
export interface ServedFile {
  status: number;
  headers: Headers;
  bytes: Bytes;
  /** Whether the first request was not answered. Other requests of this address may wait without end. */
  isSecond: boolean;
}

/**
 * Fetches a file of the site. Browsers wait for minutes for a server that says nothing, Chromium 156 can wait without end
 * after a connection broke, and as long as one request is not answered, others of the same address wait for it, because
 * of the HTTP cache. Here, a request that is not answered is sent again past that cache, and fails after 15 seconds in
 * which nothing came. One whose connection broke is sent again, too: the next connection may hold.
 *
 * @throws SilentServer, or another Error if the file cannot be had, or not in its whole length
 */
export async function fetchServed(url: URL, cache: RequestCache = 'default'): Promise<ServedFile> {
  try {
    return await fetchOnce(url, cache, UNANSWERED_MS);
  } catch (error) {
    const isSecond = error instanceof Unanswered;
    if (error instanceof SilentServer && !isSecond) throw error;
    return { ...(await fetchOnce(url, 'no-store', SILENT_SERVER_MS)), isSecond };
  }
}

/** @param patience - how long to wait for the beginning of the answer, milliseconds */
async function fetchOnce(url: URL, cache: RequestCache, patience: number): Promise<ServedFile> {
  const request = new AbortController();
  const giveUp = (silent: SilentServer, ms: number) => setTimeout(() => request.abort(silent), ms);
  let silence = giveUp(new Unanswered('The server does not answer.'), patience);
  const hear = () => {
    clearTimeout(silence);
    silence = giveUp(new SilentServer('The server fell silent.'), SILENT_SERVER_MS);
  };
  try {
    const { status, headers, body } = await fetch(url, { cache, signal: request.signal });
    hear();
    const heard = new TransformStream<Bytes, Bytes>({
      transform(piece, controller) {
        hear();
        controller.enqueue(piece);
      },
    });
    const bytes = body ? await readAll(body.pipeThrough(heard)) : new Uint8Array();
    return { status, headers, bytes, isSecond: false };
  } finally {
    clearTimeout(silence);
  }
}
