import { sentencesOf, withoutMarks } from '../chat/answer/sentences.ts';

/** The API's limit for a text, characters. */
export const MOST_SPOKEN = 4096;

/** What is said of an answer: its text without code, tables, formulas and marks. */
export function spokenText(markdown: string): string {
  const plain = markdown
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '\n')
    .replaceAll(/\$\$[\s\S]*?\$\$/g, '\n')
    .replaceAll(/^ *\|.*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\^[^\]]*\]/g, '');
  return withoutMarks(plain)
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

/** A text in parts that the API takes, cut between sentences. A sentence that is too long is cut between words. */
export function spokenParts(text: string): string[] {
  const parts: string[] = [];
  for (const piece of sentencesOf(text).flatMap(pieces)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + piece.length <= MOST_SPOKEN)
      parts[parts.length - 1] += piece;
    else parts.push(piece);
  }
  return parts.filter((part) => part.trim() !== '');
}

/** A sentence in pieces that the API takes, cut after white space where there is some. */
function pieces(sentence: string): string[] {
  if (sentence.length <= MOST_SPOKEN) return [sentence];
  const space = sentence.slice(0, MOST_SPOKEN).search(/\s\S*$/);
  const end = space < 0 ? MOST_SPOKEN : space + 1;
  return [sentence.slice(0, end), ...pieces(sentence.slice(end))];
}
