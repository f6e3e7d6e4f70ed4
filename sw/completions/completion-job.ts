import { invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { GenerateJob } from '../../src/core/protocol/jobs.ts';
import { generationJob, refuse } from '../generation/generation-job.ts';
import type { CompletionRequest } from './completion-request.ts';

/** The OpenAI API's own default for this endpoint. */
const DEFAULT_MAX_TOKENS = 16;

/**
 * A validated text completion request as the engine's job. The prompt is passed on unchanged.
 *
 * @throws ApiError 400 for what this server cannot honour
 */
export function completionJob(request: CompletionRequest): GenerateJob {
  refuseUnsupported(request);
  return {
    ...generationJob(request),
    prompt: { kind: 'raw', text: promptText(request.prompt) },
    maxTokens: request.max_tokens ?? DEFAULT_MAX_TOKENS,
  };
}

function refuseUnsupported(request: CompletionRequest): void {
  refuse((request.suffix ?? '') !== '', 'suffix');
  refuse(request.echo === true, 'echo');
  // `best_of` equal to `n` leaves nothing to choose from.
  refuse((request.best_of ?? request.n ?? 1) !== (request.n ?? 1), 'best_of');
  refuse(request.logprobs != null, 'logprobs');
}

function promptText(prompt: CompletionRequest['prompt']): string {
  if (typeof prompt === 'string') return nonEmpty(prompt);
  const [first, ...more] = prompt;
  if (more.length > 0 || typeof first !== 'string') {
    throw unsupportedValue(
      "'prompt' must be a string or an array with exactly one string; token arrays are not supported.",
      'prompt',
    );
  }
  return nonEmpty(first);
}

function nonEmpty(text: string): string {
  if (text === '') throw invalidRequest("'prompt' must not be empty.", 'prompt');
  return text;
}
