import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { call } from './browser.ts';
import type { BenchModel } from './models.ts';
import { median, spread, type Spread } from './statistics.ts';

/** Of a measured answer, times those of one whose decoding is measured: it may not end too soon. */
const LENGTH = 4;

export interface TakeoverResult {
  /** What a running answer waits for beyond the model's reload, milliseconds, by rounds. */
  addedMs: Spread;
  /** From the end of the tab with the engine to the next text of an answer that another tab reads. */
  pauseMs: number;
  /** What `start` takes in a tab that has to load the model, with all its files stored. */
  reloadMs: number;
  /** As `pauseMs`, where the tab stood by with the model in memory. */
  warmPauseMs: Spread;
  /** From asking to the first text, of the same answers: their prompt alone had to be read for it. */
  firstTextMs: number;
}

interface Round {
  pauseMs: number;
  firstTextMs: number;
  reloadMs: number;
}

interface Asked {
  url: string;
  model: BenchModel;
  /** Whether the tab that takes over has stood by. */
  standby: boolean;
}

export async function measureTakeover(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<TakeoverResult> {
  const asked = { url: `${origin}/slashv1/v1.html`, model, standby: false };
  // The first downloads the model.
  await measureRound(browser, asked);
  const rounds: Round[] = [];
  const warmRounds: Round[] = [];
  while (rounds.length < model.pairs.takeover) {
    rounds.push(await measureRound(browser, asked));
    warmRounds.push(await measureRound(browser, { ...asked, standby: true }));
  }
  return {
    addedMs: spread(rounds.map(({ pauseMs, reloadMs }) => pauseMs - reloadMs)),
    pauseMs: median(rounds.map(({ pauseMs }) => pauseMs)),
    reloadMs: median(rounds.map(({ reloadMs }) => reloadMs)),
    warmPauseMs: spread(warmRounds.map(({ pauseMs }) => pauseMs)),
    firstTextMs: median([...rounds, ...warmRounds].map(({ firstTextMs }) => firstTextMs)),
  };
}

/** A tab loads the model, another reads an answer of it, the first is closed. */
async function measureRound(browser: RawBrowser, { url, model, standby }: Asked): Promise<Round> {
  const start = call('bench.startV1', model.id, { standby });
  const leader = await browser.open(url, '"bench" in window');
  const reloadMs = v.parse(v.number(), await leader.evaluate(start));
  const reader = await browser.open(url, '"bench" in window');
  await reader.evaluate(start);
  if (standby) {
    await reader.waitFor(`performance.getEntriesByName('slashv1 standby ${model.id}').length > 0`);
  }
  await reader.bringToFront();
  const measured = await pauseAtClose(leader, reader, model);
  await reader.close();
  return { ...measured, reloadMs };
}

const answerSchema = v.object({ firstMs: v.number() });

async function pauseAtClose(
  leader: RawPage,
  reader: RawPage,
  { id, messages, tokens }: BenchModel,
): Promise<Pick<Round, 'pauseMs' | 'firstTextMs'>> {
  await reader.evaluate(call('bench.stream', { model: id, messages, maxTokens: LENGTH * tokens }));
  await reader.waitFor('bench.textTimes().length >= 4');
  const closedAt = Date.now();
  await leader.close();
  const { firstMs } = v.parse(answerSchema, await reader.evaluate('bench.endOfStream()'));
  const times = v.parse(v.array(v.number()), await reader.evaluate('bench.textTimes()'));
  const after = [closedAt, ...times.filter((time) => time > closedAt)];
  if (after.length === 1) throw new Error('The answer had ended before the tab was closed.');
  // Some of it may have been on its way.
  const pauseMs = Math.max(...after.slice(1).map((time, index) => time - (after[index] ?? time)));
  return { pauseMs, firstTextMs: firstMs };
}
