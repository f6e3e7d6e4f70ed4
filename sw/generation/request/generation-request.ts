import * as v from 'valibot';
import {
  anyInteger,
  flag,
  integer,
  integerFrom,
  integerIn,
  model,
  number,
  numberIn,
  object,
  optional,
  plainObject,
  text,
  tokenId,
} from '../../http/fields.ts';

/** How many answers one prompt may have: they are generated one after the other. */
export const MAX_CHOICES = 8;

/** The OpenAI API allows 4; other servers do not limit them. */
const MAX_STOPS = 64;

const stop = optional(
  v.union(
    [
      v.pipe(
        v.string(),
        v.transform((one) => [one]),
      ),
      v.pipe(
        v.array(v.string()),
        v.check((all) => all.length <= MAX_STOPS, `must hold at most ${MAX_STOPS} strings`),
      ),
    ],
    `must be a string or an array of at most ${MAX_STOPS} strings`,
  ),
);

const bias = v.pipe(
  number('must be a number'),
  v.check((x) => x >= -100 && x <= 100, 'must be between -100 and 100'),
);

const logitBias = optional(
  v.pipe(
    v.custom<object>(
      (value) => typeof value === 'object' && !Array.isArray(value),
      'must be an object',
    ),
    v.record(
      v.pipe(
        v.string(),
        v.check((id) => /^\d+$/.test(id), 'must have token ids as keys'),
      ),
      bias,
    ),
  ),
);

/** The OpenAI API's own limit. */
const MAX_TOP_LOGPROBS = 20;

/** What all endpoints that generate text share: the model and how it samples. */
export const samplingEntries = {
  model,
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  /** 0 and -1 mean all, as in vLLM. */
  top_k: integerFrom(-1),
  min_p: numberIn(0, 1),
  frequency_penalty: numberIn(-2, 2),
  presence_penalty: numberIn(-2, 2),
  repetition_penalty: optional(
    v.pipe(
      number('must be a number'),
      v.check((x) => x > 0 && x <= 10, 'must be greater than 0 and at most 10'),
    ),
  ),
  logit_bias: logitBias,
  seed: anyInteger,
  stop,
  stream: optional(flag),
};

/** The most tokens of an answer. -1 means no limit, as in llama.cpp and LM Studio. */
export const mostTokens = (min: number) =>
  optional(
    v.pipe(
      integer,
      v.check((x) => x >= min || x === NO_LIMIT, `must be at least ${min}`),
    ),
  );

const NO_LIMIT = -1;

/** The limit of a job; undefined: as many tokens as the context holds. */
export function tokenLimit(asked: number | null | undefined): number | undefined {
  return asked === NO_LIMIT ? undefined : (asked ?? undefined);
}

const tokenIds = v.array(tokenId, 'must be an array');

/** What chat and text completions may ask for beside sampling; some of it as in vLLM or llama.cpp. */
const completionOptions = {
  /** Ignored without `stream`. */
  stream_options: optional(
    object({ include_usage: optional(flag), continuous_usage_stats: optional(flag) }),
  ),
  n: integerIn(1, MAX_CHOICES),
  min_tokens: integerFrom(0),
  ignore_eos: optional(flag),
  stop_token_ids: optional(tokenIds),
  include_stop_str_in_output: optional(flag),
  skip_special_tokens: optional(flag),
  timings_per_token: optional(flag),
  return_progress: optional(flag),
};

/** The fields that chat and text completions share. */
export const generationEntries = {
  ...samplingEntries,
  ...completionOptions,
  max_tokens: mostTokens(1),
};

/** What the endpoints that chat share. */
export const chatEntries = {
  parallel_tool_calls: optional(flag),
  top_logprobs: integerIn(0, MAX_TOP_LOGPROBS),
  chat_template_kwargs: optional(plainObject),
};

export const reasoningEffort = optional(
  v.picklist(
    ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
    'must be one of none, minimal, low, medium, high, xhigh, max',
  ),
);

/**
 * What every endpoint says about a function beside its parameters.
 *
 * @param longest - most characters of its name
 */
export const functionEntries = (longest: 64 | 128) => ({
  name: v.pipe(
    text,
    v.check(
      (name) => name.length <= longest && /^[\w-]+$/.test(name),
      `must be 1 to ${longest} letters, digits, underscores and dashes`,
    ),
  ),
  description: optional(text),
  strict: optional(flag),
});

const samplingSchema = v.object(samplingEntries);

export type SamplingRequest = v.InferOutput<typeof samplingSchema>;

const optionsSchema = v.object(completionOptions);

export type CompletionOptions = v.InferOutput<typeof optionsSchema>;
