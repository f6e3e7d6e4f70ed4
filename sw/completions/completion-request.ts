import * as v from 'valibot';
import { generationEntries, mostTokens } from '../generation/request/generation-request.ts';
import { requestedFormatEntries } from '../generation/request/requested-format.ts';
import { flag, integerFrom, integerIn, object, optional, text } from '../http/fields.ts';

/** vLLM's limit; the OpenAI API allows 5. */
const MAX_LOGPROBS = 20;

export const completionRequestSchema = object(
  {
    ...generationEntries,
    ...requestedFormatEntries,
    prompt: v.union([v.string(), v.array(v.unknown())], 'must be a string or an array of strings'),
    suffix: optional(text),
    echo: optional(flag),
    /** 0 only echoes the prompt. */
    max_tokens: mostTokens(0),
    best_of: integerFrom(1),
    logprobs: integerIn(0, MAX_LOGPROBS),
  },
  'must be a JSON object',
);

export type CompletionRequest = v.InferOutput<typeof completionRequestSchema>;
