import type { Slashv1 } from '../../src/index.ts';

/** Sends a request. Returns its answer, and how long it took, milliseconds. */
export async function postV1(
  { baseURL, apiKey }: Pick<Slashv1, 'baseURL' | 'apiKey'>,
  path: string,
  body: object,
): Promise<{ ms: number; answer: unknown }> {
  const begun = performance.now();
  const response = await fetch(`${baseURL}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  const answer: unknown = await response.json();
  return { ms: performance.now() - begun, answer };
}
