const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Characters that `NFKC` would turn into other text. */
const BEFORE_NFKC: [RegExp, string | ((match: string) => string)][] = [
  [/(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e])/g, ' and '],
  // After a sentence, a word or a name, these are the numbers of footnotes, which are not read.
  [/(?<=[.,;:!?"'”’]|\p{L}{4}|\p{Lu}\p{Ll}{2})[⁰¹²³⁴⁵⁶⁷⁸⁹]+|(?<=\p{L})¹(?![⁰¹²³⁴⁵⁶⁷⁸⁹])/gu, ''],
  // After a letter or a figure, they are powers.
  [/(?<=[\p{L}\d)])⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu, power],
  [/[\u2122\u2120]/g, ' '],
  [/(?:№|\bN[º°])\s*(?=\d)/g, 'number '],
  [/(?<=\d)º/g, '°'],
  [/′/g, "'"],
  [/″/g, '"'],
  // A space that does not break groups the digits of a number.
  [/(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, ''],
];

/** Signs that group the digits of a number, in Switzerland, in code, in India, and where the decimal sign is a comma. */
const GROUPED: RegExp[] = [
  /(?<![\w'.,])\d{1,3}(?:'\d{3})+(?![\w'])/g,
  /(?<![\w.,])\d{1,3}(?:_\d{3})+(?!\w)/g,
  /(?<![\w.,])\d{1,2}(?:,\d{2})+,\d{3}(?!\w|,\d)/g,
  /(?<![\w.,])\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\w|[.,]\d)/g,
];

const LOOKALIKES: [RegExp, string][] = [
  [/[‘’ʼ`´]/g, "'"],
  [/[«»„‟″]/g, '"'],
  [/[‐‑]/g, '-'],
  // A range: `5–7`, `9 am – 5 pm`, `$5–$10`.
  [/(?<=\d[^\s\d]{0,4}|\d [^\s\d]{1,4})\s*–\s*(?=\p{Sc}?\d)/gu, '-'],
  [/(?<=\d)~(?=\d)/g, '-'],
  [/(?<=\b([A-Z])\d{1,2})\s*–\s*(?=\1\d{1,2}\b)/g, '-'],
  // Between capitalised words or single letters, as in `Monday–Friday` and `A–Z`.
  [/(?<=\b\p{Lu})–(?=\p{Lu}\b)/gu, ' to '],
  [/(?<=^|[\s(])–(?=\d)/gm, '-'],
  [/\s*(?:–|—|--+)\s*/g, ' — '],
  [/…|\.{2,}/g, '… '],
];

/** Replaces look-alikes with one character, and drops characters without a sound. */
export function plainCharacters(text: string): string {
  const marked = BEFORE_NFKC.reduce(
    (plain, [from, to]) =>
      typeof to === 'string' ? plain.replace(from, to) : plain.replace(from, to),
    text,
  );
  const composed = marked
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/gu, ' ')
    // Soft hyphens, joiners and marks of direction are inside words.
    .replace(/\p{Variation_Selector}|\u20e3|\p{Cf}/gu, '')
    .replace(/(?!\n)[\s\p{Cc}]/gu, ' ');
  const alike = LOOKALIKES.reduce((plain, [from, to]) => plain.replace(from, to), composed);
  return GROUPED.reduce((plain, number) => plain.replace(number, ungrouped), alike);
}

/** `1.234,5` → `1234.5` */
function ungrouped(number: string): string {
  const [whole = '', rest] = number.includes('.') ? number.split(',') : [number];
  return whole.replace(/\D/g, '') + (rest === undefined ? '' : `.${rest}`);
}

function power(digits: string): string {
  const plain = Array.from(digits, (digit) =>
    digit === '⁻' ? '-' : String(SUPERSCRIPTS.indexOf(digit)),
  );
  return `^${plain.join('')}`;
}
