import * as v from 'valibot';
import {
  anyInteger,
  flag,
  integerFrom,
  integerIn,
  model,
  numberIn,
  object,
  optional,
} from '../http/fields.ts';

const stop = optional(
  v.union(
    [
      v.pipe(
        v.string(),
        v.transform((one) => [one]),
      ),
      v.pipe(v.array(v.string()), v.maxLength(4, 'must hold at most 4 strings')),
    ],
    'must be a string or an array of at most 4 strings',
  ),
);

const bias = v.pipe(
  v.number('must be a number'),
  v.check((x) => x >= -100 && x <= 100, 'must be between -100 and 100'),
);

const logitBias = optional(
  v.pipe(
    v.custom<object>(
      (value) => typeof value === 'object' && !Array.isArray(value),
      'must be an object',
    ),
    v.record(v.pipe(v.string(), v.regex(/^\d+$/, 'must have token ids as keys')), bias),
  ),
);

/** How many answers one request may ask for: they are generated one after the other. */
const MAX_CHOICES = 8;

/** The fields that chat and text completions share. */
export const generationEntries = {
  model,
  max_tokens: integerFrom(1),
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  /** 0 and -1 mean all, as in vLLM. */
  top_k: integerFrom(-1),
  min_p: numberIn(0, 1),
  frequency_penalty: numberIn(-2, 2),
  presence_penalty: numberIn(-2, 2),
  repetition_penalty: optional(
    v.pipe(
      v.number('must be a number'),
      v.check((x) => x > 0 && x <= 10, 'must be greater than 0 and at most 10'),
    ),
  ),
  logit_bias: logitBias,
  seed: anyInteger,
  stop,
  stream: optional(flag),
  /** Without `stream` there is nothing to apply it to, and it is ignored. */
  stream_options: optional(object({ include_usage: optional(flag) })),
  n: integerIn(1, MAX_CHOICES),
};

const generationSchema = v.object(generationEntries);

export type GenerationRequest = v.InferOutput<typeof generationSchema>;
