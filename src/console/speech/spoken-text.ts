import { withoutMarks } from '../chat/answer/sentences.ts';

/** The API's limit for a text, characters. */
export const MOST_SPOKEN = 4096;

const SENTENCE = /[^.!?…。！？\n]+(?:[.!?…。！？]+["')\]]*\s*|\n+|$)/g;

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

/** A text in parts that the API takes, cut between sentences. */
export function spokenParts(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const [sentence] of text.matchAll(SENTENCE)) {
    if (part !== '' && part.length + sentence.length > MOST_SPOKEN) {
      parts.push(part);
      part = '';
    }
    part += sentence.slice(0, MOST_SPOKEN);
  }
  return part.trim() === '' ? parts : [...parts, part];
}
