import type { Sampling } from './curated.ts';

/**
 * How the curated list says that a model samples. The list is fetched when it is first needed; if it cannot be, models
 * sample as their files say.
 */
export async function listedSampling(model: string): Promise<Sampling> {
  const list = await import('./curated.ts').catch(() => undefined);
  return list?.samplingOf(model) ?? {};
}
