import { readAll } from '../async/read-all.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** If a server has sent nothing for so long, milliseconds, the request of one of the site's files has failed. */
export const SILENT_SERVER_MS = 15_000;

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
