/** A sentence, a line or a list entry ends here, and the rest has begun. */
const SENTENCE_END = /[.!?…:]["')\]]*\s+|[。！？]|\n+/g;

/**
 * Whole sentences of a growing text and what is left of it: a screen reader is told these,
 * because single tokens would be read out as fragments.
 */
export function takeSentences(text: string): { sentences: string; rest: string } {
  let end = 0;
  for (const match of text.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  return { sentences: text.slice(0, end).trim(), rest: text.slice(end) };
}

/** Without the marks of Markdown, which a screen reader would spell out. */
export function withoutMarks(text: string): string {
  return text.replace(/^#{1,6} +/gm, '').replace(/\*\*|`+|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)/g, '');
}
