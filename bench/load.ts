import * as v from 'valibot';
import type { RawBrowser } from '../test/browser/support/raw-browser.ts';
import { call } from './browser.ts';
import { directModel, type BenchModel } from './models.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

export interface LoadResult {
  /** Time to load the model from our store ÷ WebLLM's own from the Cache API, by pairs. */
  ratio: Spread;
  loadMs: Pair<number>;
}

/** Each side in a dedicated worker of one page; the model is unloaded between. */
export async function measureLoad(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<LoadResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
  const milliseconds = async (expression: string) =>
    v.parse(v.number(), await page.evaluate(expression));
  const direct = directModel(model, origin);
  // Both have all files then.
  await page.evaluate(call('bench.startV1', model.id));
  await page.evaluate(call('bench.unload', model.id));
  await page.evaluate(call('bench.startDirect', `${origin}/direct/worker.js`, direct));
  await page.evaluate('bench.unloadDirect()');
  const measure = {
    v1: () => milliseconds(call('bench.timeLoad', model.id)),
    direct: () => milliseconds(call('bench.timeLoadDirect', direct)),
  };
  await measurePairs(1, measure);
  const pairs = await measurePairs(model.pairs.reload, measure);
  await page.close();
  return {
    ratio: spread(pairs.map(({ v1, direct: webllm }) => v1 / webllm)),
    loadMs: {
      v1: median(pairs.map(({ v1 }) => v1)),
      direct: median(pairs.map(({ direct: webllm }) => webllm)),
    },
  };
}
