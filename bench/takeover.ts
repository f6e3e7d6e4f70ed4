import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { timedAnswerSchema } from './answer.ts';
import { call } from './browser.ts';
import type { BenchModel } from './models.ts';
import type { ModelLaunch } from './section.ts';
import { median } from './statistics.ts';

/** The answer must still be running when the tab closes, so it may be this many times longer. */
const LENGTH_FACTOR = 4;

/** Medians over the rounds of one launch, milliseconds. */
export interface TakeoverResult {
  /** How much longer a running answer pauses than the model takes to load. */
  addedMs: number;
  /** From closing the tab that holds the engine to the next text of an answer in another tab. */
  pauseMs: number;
  /** Time of `start()` in a tab that has to load the model, with all its files stored. */
  reloadMs: number;
  /** The pause if the other tab stands by with the model in memory. */
  warmPauseMs: number;
  /** From the request to the first text of the same answers. Until then, only the prompt is read. */
  firstTextMs: number;
}

interface TimedRound {
  pauseMs: number;
  firstTextMs: number;
  reloadMs: number;
}

interface Round {
  url: string;
  model: BenchModel;
  /** Whether the tab that takes over stands by. */
  standby: boolean;
}

export async function measureTakeover({
  browser,
  origin,
  model,
}: ModelLaunch): Promise<TakeoverResult> {
  const round = { url: `${origin}/slashv1/v1.html`, model, standby: false };
  // The first round downloads the model and is not counted.
  await measureRound(browser, round);
  const cold: TimedRound[] = [];
  const warm: TimedRound[] = [];
  while (cold.length < model.pairs.takeover) {
    cold.push(await measureRound(browser, round));
    warm.push(await measureRound(browser, { ...round, standby: true }));
  }
  return {
    addedMs: median(cold.map(({ pauseMs, reloadMs }) => pauseMs - reloadMs)),
    pauseMs: median(cold.map(({ pauseMs }) => pauseMs)),
    reloadMs: median(cold.map(({ reloadMs }) => reloadMs)),
    warmPauseMs: median(warm.map(({ pauseMs }) => pauseMs)),
    firstTextMs: median([...cold, ...warm].map(({ firstTextMs }) => firstTextMs)),
  };
}

/** One tab loads the model, a second tab reads an answer from it, and the first tab is closed. */
async function measureRound(
  browser: RawBrowser,
  { url, model, standby }: Round,
): Promise<TimedRound> {
  const start = call('bench.startV1', model.id, { standby });
  const leader = await browser.open(url);
  const reloadMs = v.parse(v.number(), await leader.evaluate(start));
  const reader = await browser.open(url);
  await reader.evaluate(start);
  if (standby) {
    await reader.waitFor(`performance.getEntriesByName('slashv1 standby ${model.id}').length > 0`);
  }
  await reader.bringToFront();
  const measured = await pauseAtClose(leader, reader, model);
  await reader.close();
  return { ...measured, reloadMs };
}

async function pauseAtClose(
  leader: RawPage,
  reader: RawPage,
  { id, messages, tokens }: BenchModel,
): Promise<Pick<TimedRound, 'pauseMs' | 'firstTextMs'>> {
  const question = { model: id, messages, maxTokens: LENGTH_FACTOR * tokens };
  await reader.evaluate(call('bench.stream', question));
  await reader.waitFor('bench.textTimes().length >= 4');
  const closedAt = Date.now();
  await leader.close();
  const { firstMs } = v.parse(timedAnswerSchema, await reader.evaluate('bench.endOfStream()'));
  const times = v.parse(v.array(v.number()), await reader.evaluate('bench.textTimes()'));
  return { pauseMs: longestPause(closedAt, times), firstTextMs: firstMs };
}

/** The longest pause after closing. It need not be the first one: some text may have been on its way already. */
function longestPause(closedAt: number, times: readonly number[]): number {
  const after = [closedAt, ...times.filter((time) => time > closedAt)];
  if (after.length === 1) throw new Error('The answer had ended before the tab was closed.');
  return Math.max(...after.slice(1).map((time, index) => time - (after[index] ?? time)));
}
