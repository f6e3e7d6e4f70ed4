import { memoryFor } from '../src/core/gguf/memory-of-context.ts';
import { openV1Page } from './both-engines.ts';
import { call } from './browser.ts';
import { forgetPeaks, pageMemory, type ProcessMemory } from './process-memory.ts';
import type { ModelLaunch } from './section.ts';

/** What the page's process had beyond what it had before, bytes. */
export interface CpuMemoryResult {
  /** At most, while the model was downloaded. */
  installing: number;
  /** At most, while it was loaded and answered. */
  answering: number;
  /** In the end, after a garbage collection. */
  settled: number;
  /** Weights, KV cache and buffers. */
  needed: number;
}

/** @returns undefined on systems other than Linux, which do not report memory */
export async function measureCpuMemory(launch: ModelLaunch): Promise<CpuMemoryResult | undefined> {
  const { browser, model, sides } = launch;
  const page = await openV1Page(launch);
  await page.evaluate(call('bench.startEmpty', sides.v1));
  const before = await pageMemory(browser);
  if (before.size === 0) return undefined;
  const peakOf = async (expression: string) => {
    await forgetPeaks(browser);
    await page.evaluate(expression);
    return growth(before, await pageMemory(browser), 'peak');
  };
  const { id, messages, tokens, gguf, contextLength } = model;
  const installing = await peakOf(call('bench.download', id));
  const question = { model: id, messages, maxTokens: tokens };
  const answering = await peakOf(call('bench.askV1', question));
  await page.evaluate('bench.collectGarbage()');
  const settled = growth(before, await pageMemory(browser), 'now');
  await page.close();
  return { installing, answering, settled, needed: memoryFor(gguf.memory, contextLength) };
}

/** Of the process that grew most. */
function growth(
  before: ReadonlyMap<number, ProcessMemory>,
  after: ReadonlyMap<number, ProcessMemory>,
  when: keyof ProcessMemory,
): number {
  const grown = [...after].map(([id, memory]) => memory[when] - (before.get(id)?.now ?? 0));
  return Math.max(...grown);
}
