import * as v from 'valibot';
import { generationEntries } from '../generation/generation-request.ts';
import { flag, integerFrom, object, optional, text } from '../http/fields.ts';

export const completionRequestSchema = object(
  {
    ...generationEntries,
    prompt: v.union(
      [v.string(), v.array(v.unknown())],
      'must be a string or an array with one string',
    ),
    suffix: optional(text),
    echo: optional(flag),
    best_of: integerFrom(1),
    logprobs: integerFrom(0),
  },
  'must be a JSON object',
);

export type CompletionRequest = v.InferOutput<typeof completionRequestSchema>;
