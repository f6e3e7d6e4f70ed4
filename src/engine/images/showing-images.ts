import {
  IMAGE_MARK,
  type ChatPrompt,
  type DecideJob,
  type GenerateJob,
  type Prompt,
  type TokensJob,
} from '../../core/operations/jobs/jobs.ts';
import { readImages } from './read-images.ts';

/**
 * A stage that reads a prompt's images into its messages.
 *
 * @param site - URL of the folder that `v1` is in
 */
export function showingImages(site: string) {
  return async (
    context: { job: GenerateJob | DecideJob | TokensJob; readonly signal: AbortSignal },
    next: () => Promise<void>,
  ): Promise<void> => {
    const { job, signal } = context;
    if (job.op === 'generate') {
      context.job = { ...job, prompt: await shownPrompt(job.prompt, site, signal) };
    } else if (job.op === 'decide') {
      context.job = { ...job, prompt: await shownChat(job.prompt, site, signal) };
    } else if (job.of.kind !== 'tokens') {
      context.job = { ...job, of: await shownPrompt(job.of, site, signal) };
    }
    await next();
  };
}

/** The prompt with its images read into its messages. @throws as readImages */
export async function shownPrompt(
  prompt: Prompt,
  site: string,
  signal: AbortSignal,
): Promise<Prompt> {
  return prompt.kind === 'raw' ? prompt : shownChat(prompt, site, signal);
}

/** The chat with its images read into its messages. @throws as readImages */
export async function shownChat(
  prompt: ChatPrompt,
  site: string,
  signal: AbortSignal,
): Promise<ChatPrompt> {
  if (!prompt.images) return prompt;
  const { images, messages, ...rest } = prompt;
  const all = await readImages(images, site, signal);
  const shown = messages.map((message) => {
    const marks = message.content.split(IMAGE_MARK).length - 1;
    return marks > 0 ? { ...message, images: all.splice(0, marks) } : message;
  });
  return { ...rest, messages: shown };
}
