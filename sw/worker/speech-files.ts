import { SPEECH_FILES } from '../../src/core/protocol/speech-files.ts';

/**
 * One of what only pages that speak need: kept when it was fetched, not before.
 *
 * @param root - path of the service worker's scope
 */
export function isSpeechFile(pathname: string, root: string): boolean {
  return SPEECH_FILES.some((file) => pathname === root + file);
}

/**
 * The file from the network, so that it is always the one that fits its site; without a network, as it
 * came last.
 *
 * @param keep - gets the promise of what is to be done after the answer
 */
export async function speechFile(
  request: Request,
  root: string,
  keep: (work: Promise<unknown>) => void,
): Promise<Response> {
  const cache = await caches.open(`slashv1-speech:${root}`);
  try {
    const response = await fetch(request);
    // No space left is no reason not to speak.
    if (response.ok) keep(cache.put(request, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
