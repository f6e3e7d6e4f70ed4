import { textStream } from './byte-stream.ts';

export function jsonResponse(body: unknown): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } });
}

/** One JSON document as a stream, because only a stream shows that the client disconnects. */
export function jsonStream(produce: () => Promise<unknown>, onCancel: () => void): Response {
  const body = textStream(async () => JSON.stringify(await produce()), onCancel);
  return new Response(body, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
