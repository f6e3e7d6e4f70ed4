/** Headers that change what a page or a script may do, although its content is the same. */
const DECIDING = [
  'content-type',
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
];

/** Headers of which one tells whether the content is the same. */
const VALIDATORS = ['etag', 'last-modified'];

/**
 * Puts a response into a cache, unless the same is there. If a kept file is written while it is read, the process of
 * WebKitGTK 2.50 that has the site's storage may end with SIGBUS: when each load of a model wrote llama.cpp again, up to
 * eleven of twelve tabs lost it within thirty loads.
 */
export async function keepResponse(
  cache: Cache,
  request: Request | string,
  response: Response,
): Promise<void> {
  const kept = await cache.match(request, { ignoreVary: true });
  const isSame = (name: string) => kept?.headers.get(name) === response.headers.get(name);
  if (!kept || !DECIDING.every(isSame)) return cache.put(request, response);
  const validator = VALIDATORS.find((name) => response.headers.has(name));
  if (!validator) return keepContent(cache, request, { kept, response });
  if (isSame(validator)) await response.body?.cancel();
  else await cache.put(request, response);
}

/** Compares the bytes: this server tells nothing of them. */
async function keepContent(
  cache: Cache,
  request: Request | string,
  { kept, response }: { kept: Response; response: Response },
): Promise<void> {
  const read = async (each: Response) => new Uint8Array(await each.arrayBuffer());
  const [old, bytes] = await Promise.all([read(kept), read(response)]);
  const isSame = old.length === bytes.length && old.every((byte, index) => byte === bytes[index]);
  if (!isSame) await cache.put(request, new Response(bytes, response));
}
