import * as v from 'valibot';
import type { Slashv1 } from '../../src/index.ts';

const answerSchema = v.object({ data: v.array(v.object({ embedding: v.string() })) });

/**
 * Requests embeddings over HTTP, as the openai package does: in base64. Returns the vectors, one after the other.
 *
 * @param send - sends the request; default: the page's `fetch`
 */
export async function embedV1(
  { baseURL, apiKey }: Pick<Slashv1, 'baseURL' | 'apiKey'>,
  model: string,
  input: string[],
  send: typeof fetch = fetch,
): Promise<Float32Array> {
  const response = await send(`${baseURL}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input, encoding_format: 'base64' }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { data } = v.parse(answerSchema, await response.json());
  const vectors = data.map(({ embedding }) => vectorOf(embedding));
  const length = vectors[0]?.length ?? 0;
  const all = new Float32Array(vectors.length * length);
  for (const [index, vector] of vectors.entries()) all.set(vector, index * length);
  return all;
}

function vectorOf(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer);
}
