import type { Prompt, TemplateMessage, Tool } from '../../../core/operations/jobs.ts';
import type { ReasoningMarks } from '../../../core/catalog/template-features.ts';
import type { ChatFormat } from './chat-format.ts';
import { breakControlTokens } from './control-tokens.ts';
import { fillInTheMiddle } from './fill-in-the-middle.ts';
import { withReferences, type PromptImages } from './prompt-images.ts';
import { opensThinking, type ThinkingPlace } from '../answer/reasoning-splitter.ts';

/** A prompt as the model reads it. */
export interface PromptText {
  text: string;
  images: PromptImages;
  /** Where the answer begins. */
  thinking: ThinkingPlace;
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
    return { text: whole, images: new Map(), thinking: 'before' };
  }
  const { templateOptions, continuesFinal } = prompt;
  const { messages, images } = withReferences(prompt.messages);
  const last = continuesFinal ? messages.at(-1) : undefined;
  const asked = render(last ? messages.slice(0, -1) : messages, templateOptions, tools);
  const opened = marks !== undefined && opensThinking(asked, marks);
  if (!last) return { text: asked, images, thinking: opened ? 'opened' : 'before' };
  const safe = (text: string) => breakControlTokens(text, controlTokens);
  return { ...begunAnswer(asked, opened, last, safe, marks), images };
}

/** Adds the beginning of the answer to a prompt. */
function begunAnswer(
  asked: string,
  opened: boolean,
  { reasoning = '', content }: TemplateMessage,
  safe: (text: string) => string,
  marks: ReasoningMarks | undefined,
): Omit<PromptText, 'images'> {
  if (!marks) return { text: asked + safe(content), thinking: 'before' };
  const begun = content.trimStart();
  if (reasoning === '' && begun.startsWith(marks.open)) {
    const [thought = '', ...answer] = begun.slice(marks.open.length).split(marks.close);
    const start = opened ? asked.trimEnd() : asked + marks.open;
    const text = [safe(thought), ...answer.map(safe)].join(marks.close + (marks.answer ?? ''));
    return { text: start + text, thinking: answer.length > 0 ? 'before' : place(thought) };
  }
  // The model does not think again.
  const space = marks.answer === undefined ? '\n' : '';
  const thoughts = [
    ...(opened ? [] : [marks.open, space]),
    safe(reasoning),
    ...[space, marks.close, space, space],
  ];
  const isThought = opened || reasoning !== '';
  const before = asked + (isThought ? thoughts.join('') : '') + (marks.answer ?? '');
  return { text: before + safe(content), thinking: 'before' };
}

function place(thought: string): ThinkingPlace {
  return thought.trim() === '' ? 'opened' : 'inside';
}
