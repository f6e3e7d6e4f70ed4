import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { answerSchema, type Answer } from './answer.ts';
import { call } from './browser.ts';
import type { BenchModel } from './models.ts';
import { inTurn, median, spread, type Spread } from './statistics.ts';

/** An option of a request, and the plain request beside which it is measured. */
interface Option {
  name: string;
  plain: Record<string, unknown>;
  more: Record<string, unknown>;
  /** Whether it changes the text: what does not must not. */
  changesText: boolean;
}

/** Strings, in which nearly every token may come, and more of them than are measured. */
const STRINGS = { type: 'array', items: { type: 'string' }, minItems: 1_000 };
const WILD = { temperature: 1, seed: 1 };

const OPTIONS: Option[] = [
  {
    name: 'grammar',
    plain: {},
    more: {
      reasoning_effort: 'none',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: STRINGS } },
    },
    changesText: true,
  },
  // A limit that leaves every token.
  { name: 'top_k', plain: WILD, more: { ...WILD, top_k: 1_000_000 }, changesText: false },
  { name: 'min_p', plain: WILD, more: { ...WILD, min_p: 1e-30 }, changesText: false },
  { name: 'logprobs', plain: {}, more: { logprobs: true, top_logprobs: 5 }, changesText: false },
];

export interface OptionsResult {
  /** Tokens per second without options. */
  plainRate: number;
  options: { name: string; rate: number; addedMs: Spread }[];
}

export async function measureOptions(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<OptionsResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
  await page.evaluate(call('bench.startV1', model.id));
  const { id, messages, tokens: maxTokens } = model;
  const ask = (more: object) => async () =>
    v.parse(
      answerSchema,
      await page.evaluate(call('bench.askV1', { model: id, messages, maxTokens, more })),
    );
  const count = model.pairs.options ?? model.pairs.decode;
  const plain: number[] = [];
  const options: OptionsResult['options'] = [];
  for (const option of OPTIONS) {
    const both = [ask(option.plain), ask(option.more)] as const;
    await inTurn(1, ...both);
    const pairs = await inTurn(count, ...both);
    for (const [without, with_] of pairs) checkWork(option, without, with_);
    plain.push(...pairs.map(([without]) => msPerToken(without)));
    const rate = 1000 / median(pairs.map(([, with_]) => msPerToken(with_)));
    const addedMs = spread(
      pairs.map(([without, with_]) => msPerToken(with_) - msPerToken(without)),
    );
    options.push({ name: option.name, rate, addedMs });
  }
  await page.close();
  return { plainRate: 1000 / median(plain), options };
}

function msPerToken({ completionTokens, decodeMs }: Answer): number {
  return decodeMs / (completionTokens - 1);
}

/** @throws Error when the two did different work, so that their times say nothing */
function checkWork({ name, changesText }: Option, plain: Answer, optioned: Answer): void {
  const isSame = changesText || plain.text === optioned.text;
  if (isSame && plain.completionTokens === optioned.completionTokens) return;
  throw new Error(`With ${name} the model wrote something else:\n${plain.text}\n${optioned.text}`);
}
