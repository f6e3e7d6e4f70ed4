import * as v from 'valibot';
import type { RawPage } from './raw-browser.ts';
import { openV1Page, startDirect, startV1 } from './both-engines.ts';
import { call } from './browser.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

/** Length of the one answer that each side gives. */
const TOKENS = 8;

/** Medians over the pairs of one launch. */
export interface LoadResult {
  /** Time to load the model from our store ÷ WebLLM's own time from the Cache API. */
  ratio: number;
  loadMs: BySide<number>;
  /** The ratio before the first answer, when it is not yet known which GPU kernels answers use. */
  unaskedRatio: number;
}

/** Each side runs in a dedicated worker of one page; the model is unloaded after each load. */
export async function measureLoad(launch: ModelLaunch): Promise<LoadResult> {
  const page = await openV1Page(launch);
  await downloadOnBothSides(page, launch);
  const unasked = await loadPairs(page, launch);
  await answerOnBothSides(page, launch);
  const pairs = await loadPairs(page, launch);
  await page.close();
  return {
    ratio: ratioOf(pairs),
    unaskedRatio: ratioOf(unasked),
    loadMs: mediansBySide(pairs, (ms) => ms),
  };
}

async function downloadOnBothSides(page: RawPage, launch: ModelLaunch): Promise<void> {
  const v1 = async () => {
    await startV1(page, launch);
    await page.evaluate(call('bench.unload', launch.model.id));
  };
  const direct = async () => {
    await startDirect(page, launch);
    await page.evaluate('bench.unloadDirect()');
  };
  await bothSides({ v1, direct }, launch.isSwapped);
}

async function answerOnBothSides(page: RawPage, launch: ModelLaunch): Promise<void> {
  const { model, sides, isSwapped } = launch;
  const { id, messages, prompt } = model;
  const v1 = async () => {
    await page.evaluate(call('bench.askV1', { model: id, messages, maxTokens: TOKENS }));
    await page.evaluate(call('bench.unload', id));
  };
  const direct = async () => {
    await page.evaluate(call('bench.loadDirect', sides.direct));
    await page.evaluate(call('bench.askDirect', prompt, TOKENS));
    await page.evaluate('bench.unloadDirect()');
  };
  await bothSides({ v1, direct }, isSwapped);
}

/** Milliseconds. The first pair is a warm-up and is not counted. */
export async function loadPairs(
  page: RawPage,
  { model, sides, isSwapped }: ModelLaunch,
): Promise<BySide<number>[]> {
  const time = async (expression: string) => v.parse(v.number(), await page.evaluate(expression));
  const load = {
    v1: () => time(call('bench.timeLoad', model.id)),
    direct: () => time(call('bench.timeLoadDirect', sides.direct)),
  };
  await measurePairs(1, load, isSwapped);
  return measurePairs(model.pairs.reload, load, isSwapped);
}

function ratioOf(pairs: BySide<number>[]): number {
  return medianOfPairs(pairs, ({ v1, direct }) => v1 / direct);
}
