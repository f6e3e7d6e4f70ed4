import { speakCodes } from './codes.ts';
import {
  cardinal,
  decimal,
  exponent,
  fraction,
  ordinal,
  plural,
  spellDigits,
  year,
} from './numbers.ts';
import { speakCompoundMeasures, speakMeasures } from './units.ts';

/** Figures whose parts are no quantities. */
const FIXED: [RegExp, string][] = [
  [/(?<![\w/])24\/7\/365(?![\w/])/g, 'twenty-four seven three sixty-five'],
  [/(?<![\w/])24\/7(?![\w/])/g, 'twenty-four seven'],
  [/(?<![\w/])9\/11(?![\w/])/g, 'nine eleven'],
  [/(?<![\w/])50[/-]50(?![\w/])/g, 'fifty fifty'],
  [/(?<![\w/])20\/20(?![\w/])/g, 'twenty twenty'],
  [/(?<![\w/])(\d{1,2})\/([248])(?= time\b)/g, '$1 $2'],
  [/\b401\(?k\)?(?!\w)/g, 'four oh one K'],
  [/\b4K\b/g, 'four K'],
  [/\b8K\b/g, 'eight K'],
];
/** The letter after the number of one of these is no unit: `Apt. 4B`. */
const NUMBERED =
  'Apt\\.?|Apartment|Appendix|Block|Building|Bus|Chapter|Class|Exhibit|Fig\\.?|Figure|Flat|Floor|Form|Gate|Grade|Level|' +
  'Lot|No\\.?|Number|Part|Platform|Question|Rm\\.?|Room|Route|Row|Seat|Section|Step|Suite|Table|Terminal|Type|Unit|Zone';
const LETTERED = new RegExp(
  `(?<=(?<!\\w)(?:${NUMBERED}|${NUMBERED.toLowerCase()}) #?)(\\d+)([A-Z])(?!\\w)`,
  'g',
);

/** The `x` of `3x faster`. */
const COMPARED =
  /(?<=\d) ?[x×] (?=(?:as|the|more|less|fewer|faster|slower|better|worse|(?:bigg|small|larg|great|high|low|cheap|long|short|strong|heavi|light|thinn|thick)er)\b)/g;

/** Writes everything that has digits in words. No digits are left. */
export function speakNumbers(text: string): string {
  const figures = FIXED.reduce((spoken, [figure, words]) => spoken.replace(figure, words), text);
  const related = speakCodes(
    speakCompoundMeasures(
      figures.replace(LETTERED, (_, n: string, letter: string) => `${cardinal(n)} ${letter}`),
    ),
  )
    .replace(/(?<=\d) (?=000(?!\d))/g, '')
    // Versions have no two groups of three digits.
    .replace(/(?<![\w.])[1-9]\d{0,2}(?:\.\d{3}){2,}(?!\.?\w)/g, (found) =>
      found.replaceAll('.', ''),
    )
    .replace(/(?<=\d0'?s) ?- ?(?='?\d{1,3}0'?s\b)|(?<=\b([A-Z])\d{1,2})-(?=\1\d{1,2}\b)/g, ' to ')
    .replace(/(?<![\w.,])(10{2,}|1(?:0{0,2}),000(?:,000)*)s(?= of\b)/g, (_, power: string) =>
      powersOfTen(power),
    )
    .replace(/\b((?:1\d|20)\d0)'?s\b/g, (_, decade: string) => plural(year(decade)))
    .replace(/(?<!\w)'?([2-9]0)'?s\b/g, (_, tens: string) => plural(cardinal(tens)))
    .replace(/(?<=\d) ?- ?(?=\d[\d.,]*\s*=)|(?<=\d) ?− ?(?=\d)/g, ' minus ')
    .replace(/(?<=\d(?:st|nd|rd|th)?) ?- ?(?=\d)/g, ' to ')
    .replace(/(?<!\w)0[xX](?=[\da-fA-F]+\b)/g, 'zero x ')
    .replace(/(?<=\d) ?[x×] ?(?=\d[\d.,x× ]*=)|(?<=\d) ?\* ?(?=\d)/g, ' times ')
    .replace(/(?<=\d)(?:x| x |×(?!10\^))(?=\d)/g, ' by ')
    .replace(COMPARED, ' times ')
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
    .replace(
      /(?<![\w/])(\d{1,3})\/(\d{1,3}|10{3,6})(?:ths?|rds?)?(?![\w/])/g,
      (_, a: string, b: string) => fraction(a, b),
    )
    .replace(/(?<![\w:])\d+(?::\d+)+(?![\w:])/g, (ratio) => ratio.replaceAll(':', ' to '))
    .replace(/(?<!\b[A-G])#(?=\d)/g, ' number ')
    .replace(/¶¶? ?(?=\d)/g, 'paragraph ')
    .replace(/(?<=\bversion )v(?=\d)/gi, '')
    .replace(/(?<![^\s("'])v(?=\d+\b(?!\.\p{L}))/gu, 'version ')
    .replace(/\b\d+(?:\.\d+){2,}\b/g, (version) => version.split('.').map(cardinal).join(' point '))
    .replace(/(?<![\p{L}\d])[-−]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)|\d+/gu, plainNumber);
}

/** `1,000s` → "thousands". */
function powersOfTen(power: string): string {
  return cardinal(power.replaceAll(',', ''))
    .split(' ')
    .filter((word) => word !== 'one')
    .map(plural)
    .join(' of ');
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
