import { memoryFor } from '../src/core/files/gguf/memory-of-context.ts';
import { openV1Page } from './both-engines.ts';
import { call } from './browser.ts';
import { forgetPeaks, pageMemory, type ProcessMemory } from './process-memory.ts';
import type { ModelLaunch } from './section.ts';

/** Tokens of the KV cache that the filling prompt leaves for its template and for the answer. */
const FREE_TOKENS = 100;

/** How much the memory of the page's process grew, bytes. */
export interface CpuMemoryResult {
  /** Peak while the model was downloaded. */
  installing: number;
  /** Peak while the model was loaded and answered. */
  answering: number;
  /** After the answer and a garbage collection. */
  settled: number;
  /** Peak while the model then answered a prompt that fills its KV cache. */
  full: number;
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
  const filling = 'the '.repeat(contextLength - FREE_TOKENS);
  const long = { model: id, messages: [{ role: 'user', content: filling }], maxTokens: 1 };
  const full = await peakOf(call('bench.askV1', long));
  await page.close();
  return { installing, answering, settled, full, needed: memoryFor(gguf.memory, contextLength) };
}

/** Growth of the process that grew most, bytes. */
function growth(
  before: ReadonlyMap<number, ProcessMemory>,
  after: ReadonlyMap<number, ProcessMemory>,
  when: keyof ProcessMemory,
): number {
  const grown = [...after].map(([id, memory]) => memory[when] - (before.get(id)?.now ?? 0));
  return Math.max(...grown);
}
