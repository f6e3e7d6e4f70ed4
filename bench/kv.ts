import * as v from 'valibot';
import type { TemplateMessage } from '../src/core/protocol/jobs.ts';
import type { RawPage } from './raw-browser.ts';
import { checkSameAnswer, timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { openBothEngines } from './both-engines.ts';
import { call } from './browser.ts';
import type { BenchModel } from './models.ts';
import { bothSides, mediansBySide, type BySide, type Side } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

/** What each of two clients says; they take turns. */
const CLIENTS = ['Ann', 'Bob'].map((name) => [
  ...[`My name is ${name}.`, 'What is my name?', 'What is the capital of France?', 'Count to 9.'],
  ...['Hello!', 'What is the capital of Italy?', 'Count to 7.', 'What is my name?'],
]);
const SYSTEM: TemplateMessage = { role: 'system', content: 'You are a helpful assistant.' };
const MAX_TOKENS = 24;

/** One launch. */
export interface KvResult {
  /** Tokens that `/v1` prefilled ÷ those that WebLLM alone prefilled. */
  prefillRatio: number;
  prefilledTokens: BySide<number>;
  /** Median milliseconds to the first token, from the second turn on. */
  ttftMs: BySide<number>;
}

/** Two conversations that alternate, with the same text on both sides. */
export async function measureKv(launch: ModelLaunch): Promise<KvResult> {
  const page = await openBothEngines(launch);
  const conversations = CLIENTS.map((texts) => ({ texts, messages: [SYSTEM] }));
  const turns: BySide<TimedAnswer>[] = [];
  for (const turn of CLIENTS[0]?.keys() ?? []) {
    for (const { texts, messages } of conversations) {
      messages.push({ role: 'user', content: texts[turn] ?? '' });
      const answers = await bothSides(questions(page, launch.model, messages), launch.isSwapped);
      checkSameAnswer(answers.v1, answers.direct);
      turns.push(answers);
      messages.push({ role: 'assistant', content: answers.v1.text });
    }
  }
  await page.close();
  return resultOf(turns);
}

function questions(page: RawPage, model: BenchModel, messages: TemplateMessage[]) {
  const ask = async (expression: string) =>
    v.parse(timedAnswerSchema, await page.evaluate(expression));
  return {
    v1: () => ask(call('bench.askV1', { model: model.id, messages, maxTokens: MAX_TOKENS })),
    direct: () => ask(call('bench.askDirect', model.render(messages), MAX_TOKENS)),
  };
}

function resultOf(turns: readonly BySide<TimedAnswer>[]): KvResult {
  const prefilledOn = (side: Side) =>
    turns.reduce((sum, turn) => sum + turn[side].promptTokens - turn[side].cachedTokens, 0);
  const prefilledTokens = { v1: prefilledOn('v1'), direct: prefilledOn('direct') };
  return {
    prefillRatio: prefilledTokens.v1 / prefilledTokens.direct,
    prefilledTokens,
    ttftMs: mediansBySide(turns.slice(CLIENTS.length), ({ firstMs }) => firstMs),
  };
}
