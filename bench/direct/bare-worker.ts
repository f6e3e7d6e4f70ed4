/**
 * A service worker that does as little as one can: what it adds to a request is the browser's part. It answers requests
 * for embeddings with one vector of 384 numbers, says at `/read` how many bytes a body has, and passes all others on.
 */
const ANSWER = JSON.stringify({ data: [{ embedding: btoa('\0'.repeat(4 * 384)) }] });

addEventListener('fetch', (event) => {
  if (!(event instanceof FetchEvent)) return;
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/embeddings')) event.respondWith(answered(request));
  else event.respondWith(pathname.endsWith('/read') ? bytesOf(request) : fetch(request));
});

async function answered(request: Request): Promise<Response> {
  await request.arrayBuffer();
  return new Response(ANSWER, { headers: { 'content-type': 'application/json' } });
}

async function bytesOf(request: Request): Promise<Response> {
  const { byteLength } = await request.arrayBuffer();
  return new Response(String(byteLength));
}
