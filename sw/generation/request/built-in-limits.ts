import { unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { GenerateJob, Sampling } from '../../../src/core/operations/jobs/jobs.ts';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import type { BuiltInVariant } from '../../../src/core/catalog/variant.ts';

/** `supported_features` of the browser's own model. */
export const BUILT_IN_FEATURES = ['json_mode', 'structured_outputs'];

/** The sampling parameters that the browser's own model honours. */
export function builtInParameters({ sampling }: BuiltInVariant): string[] {
  return [...(sampling ? ['temperature', 'top_k'] : []), 'stop', 'max_tokens'];
}

/** Values that change nothing. */
const NEUTRAL: Record<string, number> = {
  topP: 1,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
};

/** Variables with which templates turn thinking off. Models that do not think ignore them. */
const OF_THINKING = new Set(['enable_thinking', 'reasoning_effort']);

/**
 * Refuses parameters that the browser's own model would ignore.
 *
 * @throws ApiError 400 unsupported_value
 */
export function refuseForBuiltIn(
  { id, variants: [variant] }: CatalogEntry,
  job: Partial<GenerateJob>,
): void {
  if (variant?.engine !== 'builtin') return;
  const [param, limit] = firstBeyond(variant, job) ?? [];
  if (param === undefined) return;
  const how = limit === undefined ? 'is not supported' : `must be at most ${limit}`;
  throw unsupportedValue(`'${param}' ${how} by the model '${id}', which the browser runs.`, param);
}

/** A parameter and its largest value; undefined: the parameter cannot be given at all. */
type Beyond = [param: string, most?: number];

function firstBeyond(variant: BuiltInVariant, job: Partial<GenerateJob>): Beyond | undefined {
  const { prompt, ending = {} } = job;
  const options = prompt?.kind === 'chat' ? Object.keys(prompt.templateOptions) : [];
  const asked: [string, unknown][] = [
    ['tools', job.tools],
    ['logprobs', job.topLogprobs !== undefined],
    ['min_tokens', ending.minTokens],
    ['ignore_eos', ending.ignoresEnd],
    ['stop_token_ids', ending.stopTokenIds],
    ['return_progress', job.tellsReading],
    ['truncation', prompt?.kind === 'chat' && prompt.dropsOldest],
    ['chat_template_kwargs', options.some((name) => !OF_THINKING.has(name))],
  ];
  const found = asked.find(([, value]) => value);
  return found ? [found[0]] : beyondSampling(variant, job.sampling ?? {});
}

function beyondSampling({ sampling }: BuiltInVariant, asked: Sampling): Beyond | undefined {
  const most = { temperature: sampling?.maxTemperature, topK: sampling?.maxTopK };
  for (const [name, value] of Object.entries(asked)) {
    const param = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const limit = name === 'temperature' || name === 'topK' ? most[name] : undefined;
    if (limit !== undefined && Number(value) <= limit) continue;
    const isNothing = NEUTRAL[name] === value || JSON.stringify(value) === '{}';
    if (!isNothing) return limit === undefined ? [param] : [param, limit];
  }
  return undefined;
}
