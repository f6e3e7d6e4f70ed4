import { CONTENT_TYPES, checkPrompt, convertPrompt, type ChatMessage } from './prompt-input.ts';
import { notSupported } from './exceptions.ts';
import type {
  LanguageModelCreateCoreOptions,
  LanguageModelCreateOptions,
  LanguageModelExpected,
  LanguageModelParams,
  LanguageModelSamplingMode,
} from './types.ts';

/** `LanguageModel.params()`. The HTTP API has no limit for `top_k`; this one is Chrome's. */
export const PARAMS: LanguageModelParams = {
  defaultTopK: 40,
  maxTopK: 128,
  defaultTemperature: 1,
  maxTemperature: 2,
};

/** Fields of a chat request. */
const MODES: Record<LanguageModelSamplingMode, object> = {
  'most-predictable': { temperature: 0 },
  predictable: { temperature: 0.3 },
  'slightly-predictable': { temperature: 0.6 },
  balanced: {},
  'slightly-creative': { temperature: 1 },
  creative: { temperature: 1.2, top_p: 0.95 },
  'most-creative': { temperature: 1.5, top_p: 0.95 },
};

/** How a session samples. */
export interface Sampling {
  temperature: number | undefined;
  topK: number | undefined;
  /** Null: the page gave numbers. */
  mode: LanguageModelSamplingMode | null;
  /** Fields of a chat request. */
  fields: object;
}

/** @throws TypeError for an unknown mode, or a mode together with numbers; RangeError for numbers that are too small */
export function readSampling(options: LanguageModelCreateCoreOptions): Sampling {
  const { temperature, topK } = options;
  const mode = checkMode(options);
  if (temperature === undefined && topK === undefined) {
    return { temperature, topK, mode, fields: MODES[mode] };
  }
  const heat = bounded(temperature, 0, PARAMS.maxTemperature, 'temperature');
  const cut = bounded(topK, 1, PARAMS.maxTopK, 'topK');
  const top = cut === undefined ? undefined : Math.trunc(cut);
  const fields = {
    ...(heat !== undefined && { temperature: heat }),
    ...(top !== undefined && { top_k: top }),
  };
  return { temperature: heat, topK: top, mode: null, fields };
}

function checkMode({
  temperature,
  topK,
  samplingMode,
}: LanguageModelCreateCoreOptions): LanguageModelSamplingMode {
  if (samplingMode === undefined) return 'balanced';
  if (!Object.hasOwn(MODES, samplingMode)) {
    throw new TypeError(`'${samplingMode}' is no samplingMode.`);
  }
  if (temperature !== undefined || topK !== undefined) {
    throw new TypeError("Give either 'samplingMode' or 'temperature' and 'topK'.");
  }
  return samplingMode;
}

function bounded(given: unknown, least: number, most: number, name: string): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isNaN(value)) throw new TypeError(`'${name}' must be a number.`);
  if (value < least) throw new RangeError(`'${name}' must be at least ${least}.`);
  return Math.min(value, most);
}

/** @throws DOMException `NotSupportedError` for a `prefix`; else as `checkPrompt` */
export function readInitialPrompts({
  initialPrompts: given,
}: LanguageModelCreateOptions): ChatMessage[] {
  if (given === undefined || given.length === 0) return [];
  return withoutPrefix(checkPrompt(convertPrompt(given), false));
}

/** @throws DOMException `NotSupportedError` */
export function withoutPrefix({
  messages,
  continues,
}: ReturnType<typeof checkPrompt>): ChatMessage[] {
  if (continues) throw notSupported("'prefix' is for prompt() and promptStreaming().");
  return messages;
}

/**
 * Whether a text-only model satisfies `expectedInputs` and `expectedOutputs`.
 *
 * @param languages - BCP-47 tags of the languages that the model knows; undefined: all that the browser has a name for
 * @throws RangeError for an invalid language tag; TypeError for an unknown type or sampling mode
 */
export function isExpected(
  options: LanguageModelCreateCoreOptions,
  languages: readonly string[] | undefined,
): boolean {
  checkMode(options);
  const { expectedInputs = [], expectedOutputs = [], tools = [] } = options;
  const results = [...expectedInputs, ...expectedOutputs].map((each) => fits(each, languages));
  return tools.length === 0 && results.every(Boolean);
}

function fits({ type, languages = [] }: LanguageModelExpected, known?: readonly string[]): boolean {
  if (!CONTENT_TYPES.includes(type)) throw new TypeError(`'${type}' is no type of content.`);
  const tags = Intl.getCanonicalLocales(languages);
  return type === 'text' && tags.every((tag) => knows(tag, known));
}

function knows(tag: string, known: readonly string[] | undefined): boolean {
  const { language } = new Intl.Locale(tag);
  if (known) return known.some((each) => new Intl.Locale(each).language === language);
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return names.of(language) !== undefined;
}
