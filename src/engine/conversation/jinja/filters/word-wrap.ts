import { TemplateFault } from '../limits/faults.ts';
import { takeItems, takeSteps } from '../limits/render-limits.ts';
import { characterList, joinTexts, splitText } from '../values/built-texts.ts';
import { str } from '../values/text.ts';
import { isTrue } from '../values/values.ts';
import type { Filter } from './filter.ts';
import { number } from './number-filters.ts';

const LINE = 79;
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Words and white space, divided as by Python's `textwrap.TextWrapper`: dashes end words. */
const PIECES = (() => {
  const [space, letter] = ['[\\t\\n\\v\\f\\r ]', '[\\p{L}\\p{Nl}\\p{No}_]'];
  const inWord = `[\\p{L}\\p{N}_!"'&.,?]`;
  // A longer row of dashes is no dash between words, and looking for its end takes the square of its length.
  const dash = '-{2,40}(?=[\\p{L}\\p{N}_])';
  const hyphen = `-(?:(?<=${letter}{2}-)|(?<=${letter}-${inWord}-))(?=${letter}-?${letter})`;
  const word = `[^\\t\\n\\v\\f\\r ]+?(?:${hyphen}|(?=${space}|$)|(?<=${inWord})(?=${dash}))`;
  return new RegExp(`${space}+|(?<=${inWord})${dash}|${word}`, 'gu');
})();
const PLAIN_PIECES = /[\t\n\v\f\r ]+|[^\t\n\v\f\r ]+/g;

interface Style {
  most: number;
  breaksWords: boolean;
  breaksAtHyphens: boolean;
}

/** Breaks lines as Python's `textwrap` does. */
export const wordwrap: Filter = (value, [width = LINE, breaksWords, mark, onHyphens]) => {
  const most = number(width);
  if (!(most >= 1)) throw new TemplateFault(`invalid width ${most} (must be > 0)`);
  const style = {
    most,
    breaksWords: isTrue(breaksWords ?? true),
    breaksAtHyphens: isTrue(onHyphens ?? true),
  };
  const text = str(value);
  takeItems(4 * text.length);
  const lines = splitText(text, LINE_ENDS);
  if (lines.at(-1) === '') lines.pop();
  const end = str(mark ?? '\n');
  return joinTexts(
    lines.map((line) => joinTexts(wrapped(line, style), end)),
    end,
  );
};

function wrapped(text: string, style: Style): string[] {
  const pieces = text.match(style.breaksAtHyphens ? PIECES : PLAIN_PIECES) ?? [];
  const lines: string[] = [];
  let line: string[] = [];
  const end = (keepsSpace = false) => {
    const written = keepsSpace ? line.join('') : line.join('').trimEnd();
    if (written !== '') lines.push(written);
    line = [];
  };
  for (const piece of pieces) {
    takeSteps(1);
    const word = characterList(piece);
    // How much of it is written. Cutting it off would take the square of its length.
    let done = 0;
    const isSpace = piece.trim() === '';
    const isShort = word.length <= style.most;
    if (line.length + word.length > style.most && isShort) end();
    while (line.length + word.length - done > style.most) {
      if (isSpace && line.length === 0 && lines.length > 0) break;
      const room = placeIn(word, done, line.length, style);
      for (const char of word.slice(done, done + room)) line.push(char);
      done += room;
      // Python takes the beginning of a long word for the line's end, even if there is no room for it.
      end(room === 0 && style.breaksWords);
    }
    if (!isSpace || line.length > 0 || lines.length === 0)
      for (const char of word.slice(done)) line.push(char);
  }
  end();
  return lines;
}

/** How much of a long word the line takes. */
function placeIn(word: readonly string[], done: number, used: number, style: Style): number {
  const room = style.most - used;
  if (!style.breaksWords) return used === 0 ? word.length - done : 0;
  const hyphen =
    style.breaksAtHyphens && word.length - done > room
      ? word.slice(done, done + room).lastIndexOf('-')
      : -1;
  const isUsed = hyphen > 0 && word.slice(done, done + hyphen).some((char) => char !== '-');
  return isUsed ? hyphen + 1 : room;
}
