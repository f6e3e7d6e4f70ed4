import { inTime } from '../../src/core/async/in-time.ts';

/** The longest time that a cache may take to find a file, milliseconds. A damaged one may never answer. */
const FIND_MS = 3_000;

/**
 * The file that a cache has for a request. Undefined also if the browser cannot read the cache: the network may have the
 * file.
 *
 * @param name - of the cache
 */
export async function keptFile(
  name: string,
  request: RequestInfo,
  options?: CacheQueryOptions,
): Promise<Response | undefined> {
  const find = async () => (await caches.open(name)).match(request, options);
  try {
    return await inTime(find(), FIND_MS, () => new Error('The cache does not answer.'));
  } catch {
    return undefined;
  }
}
