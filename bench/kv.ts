import * as v from 'valibot';
import type { TemplateMessage } from '../src/core/protocol/jobs.ts';
import type { RawBrowser } from './raw-browser.ts';
import { answerSchema, checkSameAnswer, type Answer } from './answer.ts';
import { call } from './browser.ts';
import { directModel, type BenchModel } from './models.ts';
import { median, type Pair } from './statistics.ts';

/** What each of two clients says, in turn with the other. */
const CLIENTS = ['Ann', 'Bob'].map((name) => [
  ...[`My name is ${name}.`, 'What is my name?', 'What is the capital of France?', 'Count to 9.'],
  ...['Hello!', 'What is the capital of Italy?', 'Count to 7.', 'What is my name?'],
]);
const SYSTEM: TemplateMessage = { role: 'system', content: 'You are a helpful assistant.' };
/** Of an answer. */
const MAX_TOKENS = 24;

export interface KvResult {
  /** Tokens that `/v1` prefilled ÷ those that WebLLM alone did. */
  prefillRatio: number;
  prefilledTokens: Pair<number>;
  /** Milliseconds to the first token, from the second turn on. */
  ttftMs: Pair<number>;
}

/** Two conversations that alternate, with the same text on both sides. */
export async function measureKv(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<KvResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
  await page.evaluate(call('bench.startV1', model.id));
  const direct = directModel(model, origin);
  await page.evaluate(call('bench.startDirect', `${origin}/direct/worker.js`, direct));
  const ask = async (expression: string) => v.parse(answerSchema, await page.evaluate(expression));
  const conversations = CLIENTS.map((texts) => ({ texts, messages: [SYSTEM] }));
  const turns: Pair<Answer>[] = [];
  for (const turn of CLIENTS[0]?.keys() ?? []) {
    for (const { texts, messages } of conversations) {
      messages.push({ role: 'user', content: texts[turn] ?? '' });
      const question = { model: model.id, messages, maxTokens: MAX_TOKENS };
      const pair = {
        v1: await ask(call('bench.askV1', question)),
        direct: await ask(call('bench.askDirect', model.render(messages), MAX_TOKENS)),
      };
      checkSameAnswer(pair.v1, pair.direct);
      turns.push(pair);
      messages.push({ role: 'assistant', content: pair.v1.text });
    }
  }
  await page.close();
  return result(turns);
}

function result(turns: readonly Pair<Answer>[]): KvResult {
  const prefilled = (side: keyof Pair<Answer>) =>
    turns.reduce((sum, pair) => sum + pair[side].promptTokens - pair[side].cachedTokens, 0);
  const later = turns.slice(CLIENTS.length);
  const ttft = (side: keyof Pair<Answer>) => median(later.map((pair) => pair[side].firstMs));
  const prefilledTokens = { v1: prefilled('v1'), direct: prefilled('direct') };
  return {
    prefillRatio: prefilledTokens.v1 / prefilledTokens.direct,
    prefilledTokens,
    ttftMs: { v1: ttft('v1'), direct: ttft('direct') },
  };
}
