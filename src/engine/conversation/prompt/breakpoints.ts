import { BREAKPOINTS, withoutBreakpoints } from '../../../core/operations/prompt-caching.ts';
import type { Prompt, TemplateMessage } from '../../../core/operations/jobs/jobs.ts';
import { commonLength } from '../../../core/text/common-length.ts';

/** A place in a prompt's text, up to which the prompt is worth keeping. */
export interface Breakpoint {
  /** Characters of the text before it. */
  characters: number;
  /** For how many hours it is wanted on disk; 0: only in memory. */
  hours: number;
}

/** A prompt without its breakpoints; undefined: it has none. */
export function cleanPrompt(prompt: Prompt): Prompt | undefined {
  if (prompt.kind === 'raw') return undefined;
  const messages = prompt.messages.map(cleanMessage);
  const isClean = messages.every(({ content }, at) => content === prompt.messages[at]?.content);
  return isClean ? undefined : { ...prompt, messages };
}

function cleanMessage(message: TemplateMessage): TemplateMessage {
  return { ...message, content: withoutBreakpoints(message.content) };
}

/**
 * The breakpoints of a prompt, in the order of the text.
 *
 * @param marked - the prompt's text as its template makes it of messages with breakpoints
 * @param text - the same without; the template may have made more of it different than that
 */
export function placesOf(marked: string, text: string): Breakpoint[] {
  // Every second part is a breakpoint, which the brackets of the expression match.
  const parts = marked.split(/([\uFDD1-\uFDD3])/);
  const most = commonLength(withoutBreakpoints(marked), text);
  const places = new Map<number, number>();
  let characters = 0;
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) characters = Math.min(characters + part.length, most);
    else places.set(characters, Math.max(places.get(characters) ?? 0, hoursOf(part)));
  }
  places.delete(0);
  return [...places].map(([at, hours]) => ({ characters: at, hours }));
}

function hoursOf(mark: string): number {
  if (mark === BREAKPOINTS['12h']) return 12;
  return mark === BREAKPOINTS['1h'] ? 1 : 0;
}
