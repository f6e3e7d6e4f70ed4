/** Headers that tell whether a file is the same, and what a worker may do with it. */
const DECIDING = ['etag', 'content-security-policy', 'cross-origin-embedder-policy'];

/**
 * Puts a response into a cache, unless the same is there. If a kept file is written while it is read, the process of
 * WebKitGTK 2.50 that has the site's storage may end with SIGBUS: when each load of a model wrote llama.cpp again, up to
 * eleven of twelve tabs lost it within thirty loads.
 */
export async function keepResponse(
  cache: Cache,
  request: Request,
  response: Response,
): Promise<void> {
  const kept = await cache.match(request);
  const isSame = (name: string) => kept?.headers.get(name) === response.headers.get(name);
  if (!kept || !DECIDING.every(isSame)) return cache.put(request, response);
  if (response.headers.has('etag')) await response.body?.cancel();
  else await keepContent(cache, request, { kept, response });
}

/** Compares the bytes: this server does not tell whether they are the same. */
async function keepContent(
  cache: Cache,
  request: Request,
  { kept, response }: { kept: Response; response: Response },
): Promise<void> {
  const read = async (each: Response) => new Uint8Array(await each.arrayBuffer());
  const [old, bytes] = await Promise.all([read(kept), read(response)]);
  const isSame = old.length === bytes.length && old.every((byte, index) => byte === bytes[index]);
  if (!isSame) await cache.put(request, new Response(bytes, response));
}
