import type { Prompt, TemplateMessage, Tool } from '../../../core/operations/jobs/jobs.ts';
import type { ChatFormat } from './chat-format.ts';
import { cleanPrompt, placesOf, type Breakpoint } from './breakpoints.ts';
import { breakControlTokens } from './control-tokens.ts';
import { fillInTheMiddle } from './fill-in-the-middle.ts';
import { withReferences, type PromptImages } from './prompt-images.ts';
import { closesThinking, opensThinking, type ThinkingPlace } from '../answer/reasoning-splitter.ts';
import type { AnswerParts } from '../thinking/read-thinking.ts';
import { isOn, thinkingOptions } from '../thinking/thinking-options.ts';

/** A prompt as the model reads it. */
export interface PromptText {
  text: string;
  images: PromptImages;
  /** Where the text is worth keeping, in order. */
  breakpoints: Breakpoint[];
  /** Where the answer begins. */
  thinking: ThinkingPlace;
  /** Whether the model may think before it answers. */
  mayThink: boolean;
}

/** What a prompt depends on beside its messages. */
interface Extras {
  /** The tools that the prompt lists. */
  tools: readonly Tool[] | undefined;
  /** Most tokens of a thought. */
  budget?: number | undefined;
}

/**
 * The text that the model reads, with references to its images.
 *
 * @throws TemplateRefusal, ModelFileError, ApiError 400 for a suffix that the model has no tokens for
 */
export function promptText(prompt: Prompt, format: ChatFormat, extras: Extras): PromptText {
  const clean = cleanPrompt(prompt);
  if (!clean) return { ...rendered(prompt, format, extras), breakpoints: [] };
  // Templates may cut and compare texts, so a model reads none with marks.
  const read = rendered(clean, format, extras);
  const marked = textWithMarks(prompt, format, extras);
  return { ...read, breakpoints: marked === undefined ? [] : placesOf(marked, read.text) };
}

/** Undefined: the template refuses messages with marks, for example because it reads them as JSON. */
function textWithMarks(prompt: Prompt, format: ChatFormat, extras: Extras): string | undefined {
  try {
    return rendered(prompt, format, extras).text;
  } catch {
    return undefined;
  }
}

function rendered(
  prompt: Prompt,
  format: ChatFormat,
  { tools, budget }: Extras,
): Omit<PromptText, 'breakpoints'> {
  const { render, thinking, controlTokens, tokenIds } = format;
  if (prompt.kind === 'raw') {
    const { text, suffix } = prompt;
    const whole = suffix === undefined ? text : fillInTheMiddle(text, suffix, tokenIds);
    return { text: whole, images: new Map(), thinking: 'before', mayThink: false };
  }
  const { continuesFinal } = prompt;
  const told = thinkingOptions(prompt.templateOptions, thinking, budget);
  const options = { ...told, add_generation_prompt: !prompt.isClosed };
  const { messages, images } = withReferences(prompt.messages);
  const last = continuesFinal ? messages.at(-1) : undefined;
  const asked = render(last ? messages.slice(0, -1) : messages, options, tools);
  const opened = thinking !== undefined && opensThinking(asked, thinking.marks);
  // A prompt that ends with an empty thought leaves none to the model.
  const isClosed = thinking !== undefined && closesThinking(asked, thinking.marks);
  const mayThink = opened || (thinking !== undefined && !isClosed && isOn(options, thinking));
  if (!last) return { text: asked, images, thinking: opened ? 'opened' : 'before', mayThink };
  const safe = (text: string) => breakControlTokens(text, controlTokens);
  return { ...begunAnswer(asked, opened, last, safe, format), images, mayThink };
}

/** Adds the beginning of the answer to a prompt. */
function begunAnswer(
  asked: string,
  opened: boolean,
  { reasoning = '', content }: TemplateMessage,
  safe: (text: string) => string,
  { thinking, answer }: AnswerParts,
): Pick<PromptText, 'text' | 'thinking'> {
  if (!thinking) return { text: asked + answer.begin + safe(content), thinking: 'before' };
  const { marks, written } = thinking;
  const begun = content.trimStart();
  if (reasoning === '' && begun.startsWith(marks.open)) {
    const [thought = '', ...rest] = begun.slice(marks.open.length).split(marks.close);
    const start = opened ? asked.trimEnd() : asked + marks.open;
    const text = [safe(thought), ...rest.map(safe)].join(marks.close + answer.begin);
    return { text: start + text, thinking: rest.length > 0 ? 'before' : place(thought) };
  }
  // The model does not think again.
  const thought = `${opened ? '' : written.open}${safe(reasoning)}${written.close}`;
  const before = asked + (opened || reasoning !== '' ? thought : '') + answer.begin;
  return { text: before + safe(content), thinking: 'before' };
}

function place(thought: string): ThinkingPlace {
  return thought.trim() === '' ? 'opened' : 'inside';
}
