import { unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { GenerateJob, Sampling } from '../../src/core/protocol/jobs.ts';
import type { GenerationRequest } from './generation-request.ts';

/** The part of the job that chat and text completions ask for in the same way. */
export function generationJob(
  request: GenerationRequest,
): Omit<GenerateJob, 'prompt' | 'maxTokens'> {
  const choices = request.n ?? 1;
  if (choices > 1 && request.stream) {
    throw unsupportedValue("'n' greater than 1 is not supported with 'stream'.", 'n');
  }
  return {
    op: 'generate',
    model: request.model,
    sampling: sampling(request),
    stop: (request.stop ?? []).filter((text) => text !== ''),
    ...(choices > 1 && { choices }),
  };
}

/** @throws ApiError 400 unsupported_value if the request asks for what this server lacks */
export function refuse(isAsked: boolean, param: string): void {
  if (isAsked) throw unsupportedValue(`'${param}' is not supported.`, param);
}

function sampling(request: GenerationRequest): Sampling {
  return {
    ...(request.temperature != null && { temperature: request.temperature }),
    ...(request.top_p != null && { topP: request.top_p }),
    ...(request.top_k != null && request.top_k > 0 && { topK: request.top_k }),
    ...(request.min_p != null && { minP: request.min_p }),
    ...(request.frequency_penalty != null && { frequencyPenalty: request.frequency_penalty }),
    ...(request.presence_penalty != null && { presencePenalty: request.presence_penalty }),
    ...(request.repetition_penalty != null && { repetitionPenalty: request.repetition_penalty }),
    ...(request.logit_bias != null && { logitBias: request.logit_bias }),
    ...(request.seed != null && { seed: request.seed }),
  };
}
