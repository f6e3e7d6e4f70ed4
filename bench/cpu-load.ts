import { openBothEngines } from './both-engines.ts';
import { call } from './browser.ts';
import { loadPairs } from './load.ts';
import { medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

/** Medians over the pairs of one launch. */
export interface CpuLoadResult {
  /** Time to load the model from our store ÷ wllama's time from a Blob. */
  ratio: number;
  loadMs: BySide<number>;
}

/** Both sides have the file already; the model is unloaded after each load. */
export async function measureCpuLoad(launch: ModelLaunch): Promise<CpuLoadResult> {
  const page = await openBothEngines(launch);
  await page.evaluate(call('bench.unload', launch.model.id));
  await page.evaluate('bench.unloadDirect()');
  const pairs = await loadPairs(page, launch);
  await page.close();
  return {
    ratio: medianOfPairs(pairs, ({ v1, direct }) => v1 / direct),
    loadMs: mediansBySide(pairs, (ms) => ms),
  };
}
