/** The end of a sentence or a line, with the white space after it. */
const SENTENCE_END = /[.!?…:]["')\]]*\s+|[。！？]|\n+/g;

/** Cuts a text after each of its sentences. The last part may be one that has not ended. */
export function sentencesOf(text: string): string[] {
  const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  return [0, ...ends].map((start, index) => text.slice(start, ends[index])).filter(Boolean);
}

/**
 * Splits a growing text into its whole sentences and the unfinished rest. Screen readers get whole
 * sentences, because they would read single tokens as fragments.
 */
export function takeSentences(text: string): { sentences: string; rest: string } {
  let end = 0;
  for (const match of text.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  return { sentences: text.slice(0, end).trim(), rest: text.slice(end) };
}

/** Removes Markdown's marks, which a screen reader would spell out. */
export function withoutMarks(text: string): string {
  return text.replace(/^#{1,6} +/gm, '').replace(/\*\*|`+|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)/g, '');
}
