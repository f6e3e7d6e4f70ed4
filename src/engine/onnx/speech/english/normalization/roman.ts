import { cardinal, ordinal, year } from './numbers.ts';

/** Nouns that are numbered. One of a single letter follows only these and rulers. */
const NUMBERED =
  'World War|Super Bowl|Chapter|Part|Act|Scene|Volume|Book|Section|Phase|Type|Class|Grade|Level|Stage|' +
  'Title|Article|Appendix|Figure|Table|Unit|Lesson|Round|Annex|Tier|Category|Episode|Season|Division|Mark|Saturn';
const RULERS =
  'Albert|Alexander|Alfonso|Anne|Artaxerxes|Benedict|Boniface|Carlos|Catherine|Charles|Christian|' +
  'Clement|Cleopatra|Constantine|Darius|Edward|Elizabeth|Emmanuel|Ferdinand|Francis|Frederick|' +
  'George|Gregory|Gustav|Harald|Henry|Innocent|Ivan|James|John|Julius|Justinian|Leo|Leopold|Louis|' +
  'Margaret|Mary|Napoleon|Nicholas|Otto|Paul|Peter|Philip|Pius|Ptolemy|Ramesses|Richard|Rudolf|' +
  'Sixtus|Stephen|Theodosius|Thutmose|Urban|Victor|Wilhelm|William|Xerxes';

const NUMERAL = '(?=[IVXLC])(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})';
const END = '(?![\\p{L}\\p{N}]|\\.\\p{L})';
/** `I` after a ruler may be a pronoun. */
const RULER = new RegExp(
  `\\b(${RULERS}) (?!I(?!'s|[,.;:)]| of\\b|\\s*$)${END})(${NUMERAL})${END}(?: and (${NUMERAL})${END})?`,
  'gmu',
);
const AFTER_NOUN = new RegExp(
  `\\b(${NUMBERED}|${NUMBERED.toUpperCase()}|(?:chapter|volume|figure|section|part|act|scene)(?= [IVXLC]{2})) (?![LC]${END})(${NUMERAL})${END}`,
  'gu',
);
const CENTURY = new RegExp(`\\b(${NUMERAL})(?=(?:-| |th )[Cc]entur)`, 'gu');
/** Several letters I, V and X after another name, as in `Rocky IV`. */
const AFTER_NAME = new RegExp(
  `(?<!\\p{L})(?!(?:An?|The|His|Her|My|Our|Their|Your|This|That|And|Or|With) )(\\p{Lu}\\p{Ll}+) ` +
    `(?=[IVX]{2})(?!X{2,3}${END})(X{0,3}(?:I[XV]|V?I{0,3}))${END}`,
  'gu',
);
/** A year from 1100 to 2899 with at least four letters: no word is written so. */
const YEAR =
  /(?<![\p{L}\p{N}])(?=(?:MC|MD|MM)\p{L}{2})MM?(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})(?![\p{L}\p{N}]|\.\p{L})/gu;
const WORLD_WAR = /\bWW[ -]?(II?|[12])(?![\p{L}\p{N}])/gu;
const SMALL = 'X{0,3}(?:I[XV]|V?I{1,3}|V)|X{1,3}';
/** Several numerals in a row, as in `Parts I, II and III` and `I–IX`. */
const IN_A_ROW = new RegExp(
  `(?<![\\p{L}\\p{N}.'’-])(?:${SMALL})(?:(?:, (?:and |or )?| and | or | to | ?[–—-] ?)(?:${SMALL})(?![\\p{L}\\p{N}'’])(?!\\.\\p{L}))+`,
  'gu',
);
/** No word is written so. */
const ALONE = new RegExp(`(?<![\\p{L}\\p{N}.])X{0,2}(?:VI{2,3}|I{2,3})${END}`, 'gu');
/** Pages and the like in small letters; one letter is too few to tell. */
const SMALL_LETTERS =
  /(?<=\b(?:pages?|part|scene|act|chapter|volume|section|book) )(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xi?v|xvi{1,3}|xi?x)(?![\p{L}\p{N}'’])/giu;
/** Numbers of a list, if there is a second one: `(i)` alone is a variable. */
const LISTED = /(?<![\p{L}\d])\((x{0,3}(?:i[xv]|v?i{0,3}))\)/gu;

/** Writes Roman numerals in words: ordinals for rulers and centuries, cardinals for everything else. */
export function speakRomanNumerals(text: string): string {
  return text
    .replace(SMALL_LETTERS, (numeral) => cardinal(value(numeral.toUpperCase())))
    .replace(YEAR, (numeral) => year(value(numeral)))
    .replace(WORLD_WAR, (_, war: string) => `World War ${/[12]/.test(war) ? war : value(war)}`)
    .replace(CENTURY, (numeral) => ordinal(value(numeral)))
    .replace(RULER, (_, name: string, numeral: string, other?: string) => {
      const next = other === undefined ? '' : ` and ${ordinal(value(other))}`;
      return `${name} the ${ordinal(value(numeral))}${next}`;
    })
    .replace(IN_A_ROW, (row) =>
      // `I and X` may be a person and a name.
      /[IVX]{2}/.test(row)
        ? row
            .replaceAll(/ ?[–—-] ?/g, ' to ')
            .replaceAll(/[IVX]+/g, (numeral) => cardinal(value(numeral)))
        : row,
    )
    .replace(
      AFTER_NOUN,
      (_, noun: string, numeral: string) => `${noun} ${cardinal(value(numeral))}`,
    )
    .replace(
      AFTER_NAME,
      (_, name: string, numeral: string) => `${name} ${cardinal(value(numeral))}`,
    )
    .replace(ALONE, (numeral) => cardinal(value(numeral)))
    .replace(LISTED, (whole, numeral: string) =>
      numeral !== '' && text.includes('(ii)')
        ? `(${cardinal(value(numeral.toUpperCase()))})`
        : whole,
    );
}

const VALUES: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function value(numeral: string): string {
  const letters = Array.from(numeral, (letter) => VALUES[letter] ?? 0);
  // A smaller letter before a greater one is subtracted.
  const sum = letters.reduce(
    (total, each, index) => total + (each < (letters[index + 1] ?? 0) ? -each : each),
    0,
  );
  return String(sum);
}
