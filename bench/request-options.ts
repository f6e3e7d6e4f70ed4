import * as v from 'valibot';
import type { RawPage } from './raw-browser.ts';
import { timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { openV1Page, startV1 } from './both-engines.ts';
import { call } from './browser.ts';
import { measureAlternately } from './pairs.ts';
import type { ModelLaunch } from './section.ts';
import { median } from './statistics.ts';

type RequestFields = Record<string, unknown>;

/** An option of a chat request. */
interface RequestOption {
  name: string;
  /** Fields of the request without the option. */
  without: RequestFields;
  /** Fields of the request with it. */
  with: RequestFields;
  /** If false, both answers must have the same text. */
  changesText: boolean;
}

/** A list of strings, which allow nearly every token; it is longer than any measured answer. */
const STRINGS = { type: 'array', items: { type: 'string' }, minItems: 1_000 };
const RANDOM = { temperature: 1, seed: 1 };

const REQUEST_OPTIONS: RequestOption[] = [
  {
    name: 'grammar',
    without: {},
    with: {
      reasoning_effort: 'none',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: STRINGS } },
    },
    changesText: true,
  },
  // These limits are so wide that they leave every token.
  { name: 'top_k', without: RANDOM, with: { ...RANDOM, top_k: 1_000_000 }, changesText: false },
  { name: 'min_p', without: RANDOM, with: { ...RANDOM, min_p: 1e-30 }, changesText: false },
  {
    name: 'logprobs',
    without: {},
    with: { logprobs: true, top_logprobs: 5 },
    changesText: false,
  },
];

/** Medians over the pairs of one launch. */
export interface OptionResult {
  name: string;
  /** Tokens per second with the option. */
  rate: number;
  /** Milliseconds that the option adds to a token. */
  addedMs: number;
}

export interface RequestOptionsResult {
  /** Tokens per second without options. */
  plainRate: number;
  options: OptionResult[];
}

/** Milliseconds per token, without and with the option. */
type TimedPair = [without: number, withOption: number];

export async function measureRequestOptions(launch: ModelLaunch): Promise<RequestOptionsResult> {
  const page = await openV1Page(launch);
  await startV1(page, launch);
  const plain: number[] = [];
  const options: OptionResult[] = [];
  for (const option of REQUEST_OPTIONS) {
    const pairs = await measureOption(page, launch, option);
    plain.push(...pairs.map(([without]) => without));
    options.push(resultOf(option, pairs));
  }
  await page.close();
  return { plainRate: 1000 / median(plain), options };
}

/** The first pair is a warm-up and is not counted. */
async function measureOption(
  page: RawPage,
  { model, isSwapped }: ModelLaunch,
  option: RequestOption,
): Promise<TimedPair[]> {
  const { id, messages, tokens: maxTokens, pairs: counts } = model;
  const ask = (more: RequestFields) => async () =>
    v.parse(
      timedAnswerSchema,
      await page.evaluate(call('bench.askV1', { model: id, messages, maxTokens, more })),
    );
  const both = [ask(option.without), ask(option.with)] as const;
  await measureAlternately(1, ...both, isSwapped);
  const answers = await measureAlternately(counts.options ?? counts.decode, ...both, isSwapped);
  for (const pair of answers) checkWork(option, ...pair);
  return answers.map(([without, withOption]) => [msPerToken(without), msPerToken(withOption)]);
}

function resultOf({ name }: RequestOption, pairs: TimedPair[]): OptionResult {
  return {
    name,
    rate: 1000 / median(pairs.map(([, withOption]) => withOption)),
    addedMs: median(pairs.map(([without, withOption]) => withOption - without)),
  };
}

function msPerToken({ completionTokens, decodeMs }: TimedAnswer): number {
  return decodeMs / (completionTokens - 1);
}

/** @throws Error if the two answers are different work, because their times then can't be compared */
function checkWork(
  { name, changesText }: RequestOption,
  without: TimedAnswer,
  withOption: TimedAnswer,
): void {
  const isSameText = changesText || without.text === withOption.text;
  if (isSameText && without.completionTokens === withOption.completionTokens) return;
  throw new Error(
    `With ${name} the model wrote something else:\n${without.text}\n${withOption.text}`,
  );
}
