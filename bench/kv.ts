import * as v from 'valibot';
import type { TemplateMessage } from '../src/core/operations/jobs/jobs.ts';
import type { RawPage } from './raw-browser.ts';
import { checkSameAnswer, timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { openBothEngines } from './both-engines.ts';
import { call } from './browser.ts';
import { prefilledTokens, takeTurns } from './conversations.ts';
import type { BenchModel } from './models.ts';
import { bothSides, mediansBySide, type BySide } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

const CLIENTS = 2;
const MAX_TOKENS = 24;

/** The figures of one launch. */
export interface KvResult {
  /** Tokens that `/v1` prefilled ÷ those that WebLLM alone prefilled. */
  prefillRatio: number;
  prefilledTokens: BySide<number>;
  /** Median milliseconds to the first token, from the second turn on. */
  ttftMs: BySide<number>;
}

/** A turn on both sides. */
interface Turn extends BySide<TimedAnswer> {
  text: string;
}

/** Two conversations that alternate, with the same text on both sides. */
export async function measureKv(launch: ModelLaunch): Promise<KvResult> {
  const page = await openBothEngines(launch);
  const clients = await takeTurns(CLIENTS, async (messages): Promise<Turn> => {
    const answers = await bothSides(questions(page, launch.model, messages), launch.isSwapped);
    checkSameAnswer(answers.v1, answers.direct);
    return { ...answers, text: answers.v1.text };
  });
  await page.close();
  return resultOf(clients);
}

function questions(page: RawPage, model: BenchModel, messages: TemplateMessage[]) {
  const ask = async (expression: string) =>
    v.parse(timedAnswerSchema, await page.evaluate(expression));
  return {
    v1: () => ask(call('bench.askV1', { model: model.id, messages, maxTokens: MAX_TOKENS })),
    direct: () => ask(call('bench.askDirect', model.render(messages), MAX_TOKENS)),
  };
}

function resultOf(clients: readonly Turn[][]): KvResult {
  const turns = clients.flat();
  const tokens = {
    v1: prefilledTokens(turns.map(({ v1 }) => v1)),
    direct: prefilledTokens(turns.map(({ direct }) => direct)),
  };
  const later = clients.flatMap(([, ...others]) => others);
  return {
    prefillRatio: tokens.v1 / tokens.direct,
    prefilledTokens: tokens,
    ttftMs: mediansBySide(later, ({ firstMs }) => firstMs),
  };
}
