import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { call } from './browser.ts';
import { directModel, type BenchModel } from './models.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

/** Of the answer that each side has given before. */
const TOKENS = 8;

export interface LoadResult {
  /** Time to load the model from our store ÷ WebLLM's own from the Cache API, by pairs. */
  ratio: Spread;
  loadMs: Pair<number>;
  /** As `ratio`, of a model that was never asked anything: which GPU kernels it takes is not known. */
  unaskedRatio: Spread;
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
  const measureAll = async () => {
    await measurePairs(1, measure);
    return measurePairs(model.pairs.reload, measure);
  };
  const unasked = await measureAll();
  const { id, messages, prompt } = model;
  await page.evaluate(call('bench.askV1', { model: id, messages, maxTokens: TOKENS }));
  await page.evaluate(call('bench.unload', id));
  await page.evaluate(call('bench.loadDirect', direct));
  await page.evaluate(call('bench.askDirect', prompt, TOKENS));
  await page.evaluate('bench.unloadDirect()');
  const pairs = await measureAll();
  await page.close();
  return {
    ratio: ratioOf(pairs),
    unaskedRatio: ratioOf(unasked),
    loadMs: {
      v1: median(pairs.map(({ v1 }) => v1)),
      direct: median(pairs.map(({ direct: webllm }) => webllm)),
    },
  };
}

function ratioOf(pairs: Pair<number>[]): Spread {
  return spread(pairs.map(({ v1, direct }) => v1 / direct));
}
