import * as v from 'valibot';
import { timedAnswerSchema } from './answer.ts';
import { openV1Page, startV1 } from './both-engines.ts';
import { call } from './browser.ts';
import { newTokens, prefilledTokens, takeTurns } from './conversations.ts';
import type { RawPage } from './raw-browser.ts';
import type { ModelLaunch } from './section.ts';

const MAX_TOKENS = 24;

export interface CpuKvResult {
  /** Tokens that were prefilled ÷ tokens that were new in each conversation. */
  ratio: number;
  prefilled: number;
  fresh: number;
}

/**
 * Measures alternating conversations on llama.cpp.
 *
 * @param counts - numbers of clients, which are measured one after the other
 */
export async function measureCpuKv(
  launch: ModelLaunch,
  counts: readonly number[],
): Promise<CpuKvResult[]> {
  const page = await openV1Page(launch);
  await startV1(page, launch);
  const results: CpuKvResult[] = [];
  for (const count of counts) results.push(await measureClients(page, launch, count));
  await page.close();
  return results;
}

async function measureClients(
  page: RawPage,
  { model: { id } }: ModelLaunch,
  count: number,
): Promise<CpuKvResult> {
  // The next question loads the model again, with empty KV caches.
  await page.evaluate(call('bench.unload', id));
  const clients = await takeTurns(count, async (messages) => {
    const question = { model: id, messages, maxTokens: MAX_TOKENS };
    return v.parse(timedAnswerSchema, await page.evaluate(call('bench.askV1', question)));
  });
  const prefilled = prefilledTokens(clients.flat());
  const fresh = clients.reduce((sum, turns) => sum + newTokens(turns), 0);
  return { ratio: prefilled / fresh, prefilled, fresh };
}
