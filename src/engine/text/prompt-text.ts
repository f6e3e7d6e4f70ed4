import type { Prompt, Tool } from '../../core/protocol/jobs.ts';
import type { ReasoningMarks } from '../../core/stores/template-features.ts';
import type { ChatFormat } from './chat-format.ts';
import { breakControlTokens } from './control-tokens.ts';
import { fillInTheMiddle } from './fill-in-the-middle.ts';
import { opensThinking } from './reasoning-splitter.ts';

/**
 * The text that the model reads.
 *
 * @param tools - that the model is told of
 * @throws TemplateRefusal, ModelFileError, ApiError 400 for a suffix that the model has no tokens for
 */
export function promptText(
  prompt: Prompt,
  { render, marks, controlTokens, tokenIds }: ChatFormat,
  tools: readonly Tool[] | undefined,
): string {
  if (prompt.kind === 'raw') {
    const { text, suffix } = prompt;
    return suffix === undefined ? text : fillInTheMiddle(text, suffix, tokenIds);
  }
  const { messages, templateOptions } = prompt;
  const last = prompt.continuesFinal ? messages.at(-1) : undefined;
  if (!last) return render(messages, templateOptions, tools);
  const asked = render(messages.slice(0, -1), templateOptions, tools);
  const safe = (text: string) => breakControlTokens(text, controlTokens);
  return asked + thoughts(asked, safe(last.reasoning ?? ''), marks) + safe(last.content);
}

/** An answer that is begun has been thought about: the model does not think again. */
function thoughts(prompt: string, reasoning: string, marks: ReasoningMarks | undefined): string {
  if (!marks) return '';
  const isOpened = opensThinking(prompt, marks);
  if (!isOpened && reasoning === '') return '';
  return `${isOpened ? '' : `${marks.open}\n`}${reasoning}\n${marks.close}\n\n`;
}
