import type { RawBrowser } from './raw-browser.ts';
import { withBrowser } from './browser.ts';
import type { Figure } from './figures.ts';
import { benchModel, WORKLOADS, type BenchModel } from './models.ts';
import type { Spread } from './statistics.ts';

/** What a measurement in the browser needs. */
export interface Surroundings {
  /** Of the bench's server. */
  origin: string;
  /** Folders of model packs. */
  packs: string[];
  /** Another number of pairs than usual. */
  pairs?: number | undefined;
}

export type ModelName = keyof typeof WORKLOADS;

/** A part of the report that can be measured by itself. */
export interface Section {
  name: string;
  /** Needs the bench's site with this model. */
  model?: ModelName | 'kokoro';
  measure(surroundings: Surroundings): Promise<Figure[]>;
}

/** Measures in a browser of its own, with the model. */
export function inBrowser<T>(
  name: ModelName,
  { origin, packs, pairs }: Surroundings,
  measure: (browser: RawBrowser, origin: string, model: BenchModel) => Promise<T>,
): Promise<T> {
  const workload = WORKLOADS[name];
  const usual = workload.pairs;
  const counts = {
    decode: pairs ?? usual.decode,
    reload: pairs ?? usual.reload,
    takeover: pairs ?? usual.takeover,
    ...(usual.ttft !== undefined && { ttft: pairs ?? usual.ttft }),
    ...(usual.options !== undefined && { options: pairs ?? usual.options }),
  };
  const model = benchModel({ ...workload, pairs: counts }, packs);
  return withBrowser((browser) => measure(browser, origin, model));
}

/** For people: how sure a figure is. */
export function note({ quartiles: [first, third], count }: Spread, more = ''): string {
  const middle = `half of the pairs within ${first.toPrecision(3)} to ${third.toPrecision(3)}`;
  return [`${count} pairs`, middle, more].filter(Boolean).join(', ');
}
