import * as v from 'valibot';
import type { RawPage } from './raw-browser.ts';
import { timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { openBothEngines } from './both-engines.ts';
import { call } from './browser.ts';
import { measured, type Reading } from './figures.ts';
import type { BenchModel } from './models.ts';
import { measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

/** An answer with fewer tokens is too short to measure decoding. */
const MIN_TOKENS = 16;

/** Medians over the pairs of one launch. */
export interface ChatResult {
  /** Tokens per second through `/v1` ÷ those of the other side. */
  decodeRatio: number;
  /** Tokens per second. */
  decodeRate: BySide<number>;
  /** Milliseconds to the first token through `/v1` − those of the other side. */
  ttftAddedMs: number;
  ttftMs: BySide<number>;
  /** Tokens of the prompt per second until the first token, through `/v1` ÷ those of the other side. */
  prefillRatio: number;
  /** Tokens per second. */
  prefillRate: BySide<number>;
  promptTokens: number;
  /** Length of a measured answer. */
  tokens: number;
}

interface Questions {
  count: number;
  maxTokens: number;
}

/** Both engines are loaded in one page; only one of them works at a time. */
export async function measureChat(launch: ModelLaunch): Promise<ChatResult> {
  const page = await openBothEngines(launch);
  const decode = await decodePairs(page, launch);
  const { ttft: count } = launch.model.pairs;
  const ttft = count === undefined ? decode : await askPairs(page, launch, { count, maxTokens: 1 });
  await page.close();
  return {
    decodeRatio: medianOfPairs(
      decode,
      ({ v1, direct }) => tokensPerSecond(v1) / tokensPerSecond(direct),
    ),
    decodeRate: mediansBySide(decode, tokensPerSecond),
    ttftAddedMs: medianOfPairs(ttft, ({ v1, direct }) => v1.firstMs - direct.firstMs),
    ttftMs: mediansBySide(ttft, ({ firstMs }) => firstMs),
    prefillRatio: medianOfPairs(ttft, ({ v1, direct }) => prefilled(v1) / prefilled(direct)),
    prefillRate: mediansBySide(ttft, prefilled),
    promptTokens: ttft[0]?.v1.promptTokens ?? 0,
    tokens: decode[0]?.v1.completionTokens ?? 0,
  };
}

/**
 * Figures of decoding and prefill.
 *
 * @param other - name of the other side
 */
export function rates(at: string, other: string, result: ChatResult): Reading[] {
  const { decodeRatio, decodeRate, prefillRatio, prefillRate, tokens, promptTokens } = result;
  return [
    measured(`${at}.decode_ratio`, decodeRatio, `${tokens} tokens`),
    measured(`${at}.prefill_ratio`, prefillRatio, `${promptTokens} tokens`),
    measured(`${at}.v1_tokens_per_s`, decodeRate.v1),
    measured(`${at}.${other}_tokens_per_s`, decodeRate.direct),
    measured(`${at}.v1_prefill_tokens_per_s`, prefillRate.v1),
    measured(`${at}.${other}_prefill_tokens_per_s`, prefillRate.direct),
  ];
}

async function decodePairs(page: RawPage, launch: ModelLaunch): Promise<BySide<TimedAnswer>[]> {
  const { id, pairs, tokens } = launch.model;
  const answers = await askPairs(page, launch, { count: pairs.decode, maxTokens: tokens });
  const shortest = Math.min(...answers.map(({ v1 }) => v1.completionTokens));
  if (shortest >= MIN_TOKENS) return answers;
  throw new Error(`${id} wrote only ${shortest} tokens: too few to measure its speed.`);
}

/** The first pair is a warm-up and is not counted. */
async function askPairs(
  page: RawPage,
  { model, sides, isSwapped }: ModelLaunch,
  { count, maxTokens }: Questions,
): Promise<BySide<TimedAnswer>[]> {
  const ask = questions(page, model, maxTokens);
  await measurePairs(1, ask, isSwapped);
  const pairs = await measurePairs(count, ask, isSwapped);
  for (const { v1, direct } of pairs) sides.check(v1, direct);
  return pairs;
}

function questions(page: RawPage, { id, messages, prompt }: BenchModel, maxTokens: number) {
  const ask = async (expression: string) =>
    v.parse(timedAnswerSchema, await page.evaluate(expression));
  return {
    v1: async () => {
      await page.evaluate(call('bench.fillKvCaches', id));
      return ask(call('bench.askV1', { model: id, messages, maxTokens }));
    },
    direct: () => ask(call('bench.askDirect', prompt, maxTokens)),
  };
}

/** Tokens per second. */
function prefilled({ promptTokens, firstMs }: TimedAnswer): number {
  return (1000 * promptTokens) / firstMs;
}

function tokensPerSecond({ completionTokens, decodeMs }: TimedAnswer): number {
  return ((completionTokens - 1) / decodeMs) * 1000;
}
