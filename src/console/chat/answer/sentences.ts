/** The end of a sentence or a line, with the white space after it. The number of an entry in a list ends none. */
const SENTENCE_END = /(?<!\b\d{1,2})[.!?…:]["')\]]*\s+|[。！？]|\n+/g;

/** Cuts a text after each of its sentences. The last part may be one that has not ended. */
export function sentencesOf(text: string): string[] {
  const ends = endsOf(text);
  return [0, ...ends].map((start, index) => text.slice(start, ends[index])).filter(Boolean);
}

/**
 * Splits a growing text into its whole sentences and the unfinished rest. Screen readers get whole
 * sentences, because they would read single tokens as fragments.
 */
export function takeSentences(text: string): { sentences: string; rest: string } {
  const end = endsOf(text).at(-1) ?? 0;
  return { sentences: text.slice(0, end).trim(), rest: text.slice(end) };
}

function endsOf(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
}

/** Removes Markdown's marks, which a screen reader would spell out. */
export function withoutMarks(text: string): string {
  return text.replace(/^#{1,6} +/gm, '').replace(/\*\*|`+|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)/g, '');
}
