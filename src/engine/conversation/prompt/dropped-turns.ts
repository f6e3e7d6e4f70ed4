import type { GenerateJob, TemplateMessage } from '../../../core/operations/jobs/jobs.ts';

/**
 * The job with as much of its conversation as fits, if the rest may be left out.
 *
 * @param contextLength - tokens
 * @param isWithin - whether the job's prompt has at most so many tokens
 */
export async function fittingJob(
  job: GenerateJob,
  contextLength: number,
  isWithin: (job: GenerateJob, tokens: number) => Promise<boolean>,
): Promise<GenerateJob> {
  const { prompt, maxTokens = Infinity } = job;
  if (prompt.kind !== 'chat' || !prompt.dropsOldest) return job;
  // An answer needs room as well.
  const room = contextLength - Math.min(maxTokens, Math.floor(contextLength / 4));
  let messages: TemplateMessage[] | undefined = prompt.messages;
  let fitting = job;
  while (messages && !(await isWithin(fitting, room))) {
    messages = withoutOldestTurn(messages);
    if (messages) fitting = { ...job, prompt: { ...prompt, messages } };
  }
  return fitting;
}

/**
 * A conversation without its oldest turn: a user's message, and all that follows until the next user's
 * message, so that no call is left without its result. System messages stay.
 *
 * @returns undefined if only one turn is left
 */
function withoutOldestTurn(messages: readonly TemplateMessage[]): TemplateMessage[] | undefined {
  const oldest = messages.findIndex(({ role }) => role !== 'system');
  const next = messages.findIndex(({ role }, index) => role === 'user' && index > oldest);
  if (oldest === -1 || next === -1) return undefined;
  return messages.filter(({ role }, index) => index < oldest || index >= next || role === 'system');
}
