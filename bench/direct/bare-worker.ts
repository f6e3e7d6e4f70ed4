/**
 * A minimal service worker: the time that it adds to a request is the browser's own overhead. It answers requests for
 * embeddings with one vector of 384 numbers, requests to `/read` with the bytes of their body, and forwards all others.
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
