import type { Prompt, Tool } from '../../../core/operations/jobs.ts';
import type { ReasoningMarks } from '../../../core/catalog/template-features.ts';
import type { ChatFormat } from './chat-format.ts';
import { breakControlTokens } from './control-tokens.ts';
import { fillInTheMiddle } from './fill-in-the-middle.ts';
import { withReferences, type PromptImages } from './prompt-images.ts';
import { opensThinking } from '../answer/reasoning-splitter.ts';

/** A prompt as the model reads it. */
export interface PromptText {
  text: string;
  images: PromptImages;
}

/**
 * The text that the model reads, with references to its images.
 *
 * @param tools - the tools that the prompt lists
 * @throws TemplateRefusal, ModelFileError, ApiError 400 for a suffix that the model has no tokens for
 */
export function promptText(
  prompt: Prompt,
  { render, marks, controlTokens, tokenIds }: ChatFormat,
  tools: readonly Tool[] | undefined,
): PromptText {
  if (prompt.kind === 'raw') {
    const { text, suffix } = prompt;
    const whole = suffix === undefined ? text : fillInTheMiddle(text, suffix, tokenIds);
    return { text: whole, images: new Map() };
  }
  const { templateOptions, continuesFinal } = prompt;
  const { messages, images } = withReferences(prompt.messages);
  const last = continuesFinal ? messages.at(-1) : undefined;
  if (!last) return { text: render(messages, templateOptions, tools), images };
  const asked = render(messages.slice(0, -1), templateOptions, tools);
  const safe = (text: string) => breakControlTokens(text, controlTokens);
  const begun = thoughts(asked, safe(last.reasoning ?? ''), marks) + safe(last.content);
  return { text: asked + begun, images };
}

/** The closed reasoning before an answer that the prompt begins: the model does not think again. */
function thoughts(prompt: string, reasoning: string, marks: ReasoningMarks | undefined): string {
  if (!marks) return '';
  const isOpened = opensThinking(prompt, marks);
  if (!isOpened && reasoning === '') return '';
  return `${isOpened ? '' : `${marks.open}\n`}${reasoning}\n${marks.close}\n\n`;
}
