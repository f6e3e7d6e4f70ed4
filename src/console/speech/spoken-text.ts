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

/** The least characters of a part, if there are more: a short sentence is said together with the next one. */
const LEAST = 40;

/** A text in sentences, each not longer than the API takes: a longer one is cut between words. */
export function spokenParts(text: string): string[] {
  const parts: string[] = [];
  for (const piece of sentencesOf(text)) {
    const last = parts.at(-1);
    if (last !== undefined && last.trim().length < LEAST) parts[parts.length - 1] += piece;
    else parts.push(piece);
  }
  return parts.flatMap(pieces).filter((part) => part.trim() !== '');
}

/** A sentence in pieces that the API takes, cut after white space where there is some. */
function pieces(sentence: string): string[] {
  if (sentence.length <= MOST_SPOKEN) return [sentence];
  const space = sentence.slice(0, MOST_SPOKEN).search(/\s\S*$/);
  const end = space < 0 ? MOST_SPOKEN : space + 1;
  return [sentence.slice(0, end), ...pieces(sentence.slice(end))];
}
