import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { GenerateJob, Prompt } from '../../src/core/operations/jobs/jobs.ts';
import { generationJob } from '../generation/request/generation-job.ts';
import { MAX_CHOICES, tokenLimit } from '../generation/request/generation-request.ts';
import { requestedFormat } from '../generation/request/requested-format.ts';
import type { CompletionRequest } from './completion-request.ts';

/** The OpenAI API's own default for this endpoint. */
const DEFAULT_MAX_TOKENS = 16;
/** Most prompts of a request, which are answered one after the other. */
const MAX_PROMPTS = 128;

/**
 * A validated text completion request as the engine's job, for its first prompt.
 *
 * @throws ApiError 400 for what this server cannot honour
 */
export function completionJob(request: CompletionRequest, prompt: Prompt): GenerateJob {
  const { format } = requestedFormat(request);
  const maxTokens = tokenLimit(request.max_tokens ?? DEFAULT_MAX_TOKENS);
  const answers = answersPerPrompt(request);
  const logprobs = request.logprobs ?? (answers > (request.n ?? 1) ? 0 : undefined);
  return {
    ...generationJob({ ...request, n: answers }),
    prompt,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(logprobs !== undefined && { topLogprobs: logprobs }),
    ...(scoresPrompt(request) && { scoresPrompt: true }),
    ...(format && { format }),
  };
}

/** Whether the log-probabilities of the prompt are wanted beside those of the answers. */
export function scoresPrompt({ echo, logprobs }: CompletionRequest): boolean {
  return echo === true && logprobs != null;
}

/** How many answers are written for each prompt. @throws ApiError 400 */
export function answersPerPrompt({ n, best_of, stream }: CompletionRequest): number {
  const wanted = n ?? 1;
  const written = best_of ?? wanted;
  if (written < wanted) throw invalidRequest("'best_of' must not be less than 'n'.", 'best_of');
  if (written > MAX_CHOICES) {
    throw invalidRequest(`'best_of' must be at most ${MAX_CHOICES}.`, 'best_of');
  }
  if (written === wanted || !stream) return written;
  throw unsupportedValue("'best_of' above 'n' is not supported with 'stream'.", 'best_of');
}

/**
 * The prompts of a request. They are passed on unchanged.
 *
 * @throws ApiError 400 for prompts that are not text, and for what this server cannot honour
 */
export function completionPrompts(request: CompletionRequest): [Prompt, ...Prompt[]] {
  if (request.max_tokens === 0 && !request.echo) {
    throw invalidRequest("'max_tokens' must be at least 1 without 'echo'.", 'max_tokens');
  }
  const [first, ...others] = promptTexts(request.prompt).map((text): Prompt => {
    // An empty suffix asks for nothing.
    return { kind: 'raw', text, ...(request.suffix && { suffix: request.suffix }) };
  });
  if (!first) throw unsupportedValue("'prompt' must hold at least one string.", 'prompt');
  return [first, ...others];
}

export function promptTexts(prompt: CompletionRequest['prompt']): string[] {
  const texts = typeof prompt === 'string' ? [prompt] : prompt;
  if (texts.length > MAX_PROMPTS) {
    throw invalidRequest(`'prompt' must hold at most ${MAX_PROMPTS} strings.`, 'prompt');
  }
  return texts.map((text, index) => {
    const at = typeof prompt === 'string' ? 'prompt' : `prompt[${index}]`;
    if (text === '') throw invalidRequest(`'${at}' must not be empty.`, at);
    if (typeof text === 'string') return text;
    throw unsupportedValue(
      "'prompt' must be a string or an array of strings; token arrays are not supported.",
      'prompt',
    );
  });
}
