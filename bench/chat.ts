import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { answerSchema, checkSameWork, type Answer } from './answer.ts';
import { call } from './browser.ts';
import { directModel, type BenchModel } from './models.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

/** Fewer tokens than this are no measure of decoding. */
const MIN_TOKENS = 16;

export interface ChatResult {
  /** Tokens per second through `/v1` ÷ those of WebLLM alone, by pairs. */
  decodeRatio: Spread;
  /** Tokens per second. */
  decodeRate: Pair<number>;
  /** Milliseconds to the first token through `/v1` − those of WebLLM alone, by pairs. */
  ttftAddedMs: Spread;
  ttftMs: Pair<number>;
  /** Of a measured answer. */
  tokens: number;
}

/** Both engines loaded in one page, one of them at work at a time. */
export async function measureChat(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<ChatResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
  await page.evaluate(call('bench.startV1', model.id));
  const direct = directModel(model, origin);
  await page.evaluate(call('bench.startDirect', `${origin}/direct/worker.js`, direct));
  const decode = await decodePairs(page, model);
  const { ttft: count } = model.pairs;
  const ttft = count === undefined ? decode : await askPairs(page, model, count, 1);
  await page.close();
  return {
    decodeRatio: spread(
      decode.map((pair) => tokensPerSecond(pair.v1) / tokensPerSecond(pair.direct)),
    ),
    decodeRate: medians(decode, tokensPerSecond),
    ttftAddedMs: spread(ttft.map((pair) => pair.v1.firstMs - pair.direct.firstMs)),
    ttftMs: medians(ttft, ({ firstMs }) => firstMs),
    tokens: decode[0]?.v1.completionTokens ?? 0,
  };
}

async function decodePairs(page: RawPage, model: BenchModel): Promise<Pair<Answer>[]> {
  const pairs = await askPairs(page, model, model.pairs.decode, model.tokens);
  const tokens = Math.min(...pairs.map((pair) => pair.v1.completionTokens));
  if (tokens >= MIN_TOKENS) return pairs;
  throw new Error(`${model.id} wrote only ${tokens} tokens: too few to measure its speed.`);
}

/** After one round that is not counted. */
async function askPairs(
  page: RawPage,
  model: BenchModel,
  count: number,
  maxTokens: number,
): Promise<Pair<Answer>[]> {
  const { id, messages, prompt } = model;
  const ask = async (expression: string) => v.parse(answerSchema, await page.evaluate(expression));
  const measure = {
    v1: async () => {
      await page.evaluate(call('bench.fillKvCaches', id));
      return ask(call('bench.askV1', { model: id, messages, maxTokens }));
    },
    direct: () => ask(call('bench.askDirect', prompt, maxTokens)),
  };
  await measurePairs(1, measure);
  const pairs = await measurePairs(count, measure);
  for (const pair of pairs) checkSameWork(pair.v1, pair.direct);
  return pairs;
}

function tokensPerSecond({ completionTokens, decodeMs }: Answer): number {
  return ((completionTokens - 1) / decodeMs) * 1000;
}

function medians(pairs: Pair<Answer>[], value: (answer: Answer) => number): Pair<number> {
  return {
    v1: median(pairs.map((pair) => value(pair.v1))),
    direct: median(pairs.map((pair) => value(pair.direct))),
  };
}
