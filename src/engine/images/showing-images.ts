import { engineOf, type Engine } from '../../core/port/engine.ts';
import { IMAGE_MARK, type Prompt } from '../../core/operations/jobs.ts';
import type { TextModelOperation } from '../models/text-engine.ts';
import { readImages } from './read-images.ts';

/**
 * The engine of text models, which gets prompts with their images in the messages.
 *
 * @param site - URL of the folder that `v1` is in
 */
export function showingImages(
  engine: Engine<TextModelOperation>,
  site: string,
): Engine<TextModelOperation> {
  return engineOf<TextModelOperation>({
    async *generate(job, signal) {
      yield* engine.run({ ...job, prompt: await shownPrompt(job.prompt, site, signal) }, signal);
    },
    async *tokens(job, signal) {
      const { of } = job;
      const shown = of.kind === 'tokens' ? of : await shownPrompt(of, site, signal);
      yield* engine.run({ ...job, of: shown }, signal);
    },
    load: (job, signal) => engine.run(job, signal),
    unload: (job, signal) => engine.run(job, signal),
  });
}

/** The prompt, whose images have been read into its messages. @throws as readImages */
export async function shownPrompt(
  prompt: Prompt,
  site: string,
  signal: AbortSignal,
): Promise<Prompt> {
  if (prompt.kind === 'raw' || !prompt.images) return prompt;
  const { images, messages, ...rest } = prompt;
  const all = await readImages(images, site, signal);
  const shown = messages.map((message) => {
    const marks = message.content.split(IMAGE_MARK).length - 1;
    return marks > 0 ? { ...message, images: all.splice(0, marks) } : message;
  });
  return { ...rest, messages: shown };
}
