import { speakCodes } from './codes.ts';
import { cardinal, decimal, fraction, ordinal, plural, spellDigits, year } from './numbers.ts';
import { speakCompoundMeasures, speakMeasures } from './units.ts';

/** Figures whose parts are no quantities. */
const FIXED: [RegExp, string][] = [
  [/(?<![\w/])24\/7\/365(?![\w/])/g, 'twenty-four seven three sixty-five'],
  [/(?<![\w/])24\/7(?![\w/])/g, 'twenty-four seven'],
  [/(?<![\w/])9\/11(?![\w/])/g, 'nine eleven'],
  [/(?<![\w/])50\/50(?![\w/])/g, 'fifty fifty'],
  [/(?<![\w/])20\/20(?![\w/])/g, 'twenty twenty'],
  [/(?<![\w/])(\d{1,2})\/([248])(?= time\b)/g, '$1 $2'],
  [/\b401\(?k\)?(?!\w)/g, 'four oh one K'],
  [/\b4K\b/g, 'four K'],
  [/\b8K\b/g, 'eight K'],
];

const POWERS: Record<string, string> = { 2: ' squared', 3: ' cubed' };

/** Writes everything that has digits in words. No digits are left. */
export function speakNumbers(text: string): string {
  const figures = FIXED.reduce((spoken, [figure, words]) => spoken.replace(figure, words), text);
  const related = speakCodes(speakCompoundMeasures(figures))
    .replace(/(?<=\d) (?=000(?!\d))/g, '')
    // Versions have no two groups of three digits.
    .replace(/(?<![\w.])[1-9]\d{0,2}(?:\.\d{3}){2,}(?!\.?\w)/g, (found) =>
      found.replaceAll('.', ''),
    )
    .replace(/\b((?:1\d|20)\d0)s\b/g, (_, decade: string) => plural(year(decade)))
    .replace(/(?<!\w)'?([2-9]0)s\b/g, (_, tens: string) => plural(cardinal(tens)))
    .replace(/(?<=\d) ?- ?(?=\d[\d.,]*\s*=)|(?<=\d) ?− ?(?=\d)/g, ' minus ')
    .replace(/(?<=\d(?:st|nd|rd|th)?) ?- ?(?=\d)/g, ' to ')
    .replace(/(?<!\w)0[xX](?=[\da-fA-F]+\b)/g, 'zero x ')
    .replace(/(?<=\d) ?[x×] ?(?=\d[\d.,x× ]*=)/g, ' times ')
    .replace(/(?<=\d)(?:x| x |×(?!10\^))(?=\d)/g, ' by ')
    .replace(/(?<=\d) (?=\d\/\d)/g, ' and ')
    .replace(/(?<![\w~])~ ?(?=\d)/g, 'about ');
  return speakMeasures(related)
    .replace(/(?<=[\p{L}\d)])\^(\(?-?\d+\)?|\{-?\w+\}|\p{L}(?!\p{L}))/gu, (_, power: string) =>
      exponent(power),
    )
    .replace(/(?<=\d)[eE]([-+]?\d+)\b/g, (_, power: string) => ` times ten${exponent(power)}`)
    .replace(/(\d[\d,]*)(?:st|nd|rd|th)\b/g, (_, digits: string) =>
      ordinal(digits.replaceAll(',', '')),
    )
    .replace(/(?<![\w/])(\d{1,3})\/(\d{1,3})(?:ths?|rds?)?(?![\w/])/g, (_, a: string, b: string) =>
      fraction(a, b),
    )
    .replace(/(?<![\w:])(\d+):(\d+)(?![\w:])/g, '$1 to $2')
    .replace(/(?<!\b[A-G])#(?=\d)/g, ' number ')
    .replace(/(?<![^\s("'])v(?=\d+\b(?!\.\p{L}))/gu, 'version ')
    .replace(/\b\d+(?:\.\d+){2,}\b/g, (version) => version.split('.').map(cardinal).join(' point '))
    .replace(/(?<![\p{L}\d])[-−]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)|\d+/gu, plainNumber);
}

function exponent(power: string): string {
  const bare = power.replace(/[(){}+]/g, '');
  return POWERS[bare] ?? ` to the power of ${/\d$/.test(bare) ? decimal(bare) : bare}`;
}

function plainNumber(number: string, offset: number, text: string): string {
  const glued = /\p{L}/u.test(text.charAt(offset - 1)) ? ' ' : '';
  const after = /\p{L}/u.test(text.charAt(offset + number.length)) ? ' ' : '';
  return glued + numberWords(number) + after;
}

function numberWords(number: string): string {
  // A number from 1100 to 2099 is usually a year.
  if (/^(?:1[1-9]|20)\d\d$/.test(number)) return year(number);
  if (/^0\d+$/.test(number)) return spellDigits(number);
  return decimal(number);
}
