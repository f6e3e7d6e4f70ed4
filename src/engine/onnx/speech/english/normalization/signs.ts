/** Comparisons: between two operands, and before a number alone. */
const COMPARISONS: Record<string, [between: string, before: string]> = {
  '>': ['greater than', 'more than'],
  '<': ['less than', 'less than'],
  '≥': ['at least', 'at least'],
  '≤': ['at most', 'at most'],
  '≈': ['approximately', 'approximately'],
  '≠': ['not equal to', 'not'],
};
const OPERATOR = '[<>≥≤≈≠]';
/** A number in words cannot be told from other words, so comparisons are read before numbers are. */
const OPERAND = String.raw`(?:[-−$€£]?\d|\p{L}(?![\p{L}\p{N}]))`;
const BETWEEN = new RegExp(
  [
    // One side is a number or a variable. Between other words, `>` separates the items of a menu.
    String.raw`(?<=(?<![\p{L}\d])\p{L}|\d(?:[.,]\d+)*[%°\p{L}]{0,3}) ?${OPERATOR} ?(?=[-−$€£.\p{L}\d])`,
    String.raw`(?<=[\p{L}\d)%]) ${OPERATOR} (?=${OPERAND})`,
    String.raw`(?<=[\p{L}\d)%])${OPERATOR}(?=[-−$€£.]?\d)`,
    String.raw`(?<=[\p{L}\d)%]) ?[≥≤≈≠] ?(?=[\p{L}\d])`,
    String.raw`(?<=\b(?:[Ii]f|[Ww]hen|[Ww]hile|[Uu]nless|[Uu]ntil|[Ww]here) [\p{L}\d_.]{1,40}) ${OPERATOR} (?=\p{L})`,
  ].join('|'),
  'gu',
);
const BEFORE = new RegExp(String.raw`(?<![\p{L}\d<>])(${OPERATOR}) ?(?=[-−$€£]?\d)`, 'gu');
const TAG =
  /<\/?(?:a|abbr|b|big|blockquote|br|code|div|em|h[1-6]|hr|i|kbd|li|mark|ol|p|pre|q|s|small|span|strong|sub|sup|table|td|th|tr|u|ul)(?: [\w-]+="[^"<>]*")*\/?>/g;

/** Writes `>` and the like in words where they compare. */
export function speakComparisons(text: string): string {
  return (
    text
      // Markdown's mark of a quotation.
      .replace(/^(?:\s*>)+ /gm, '')
      .replace(TAG, ' ')
      .replace(/(?<!<)<=(?!=)/g, '≤')
      .replace(/(?<!>)>=(?!=)/g, '≥')
      .replace(/!==?/g, '≠')
      .replace(/===?/g, '=')
      .replace(/[-=]+>|<-+/g, ' ')
      .replace(BETWEEN, (sign, ...rest: unknown[]) => {
        const [at, whole] = [Number(rest.at(-2)), String(rest.at(-1))];
        const [between = ''] = COMPARISONS[sign.trim()] ?? [];
        const hasVerb = /\b(?:is|are|was|were|be|been)$/.test(whole.slice(0, at));
        return hasVerb ? ` ${between} ` : ` is ${between} `;
      })
      // A heart.
      .replace(/<3+(?=\s*(?:$|[!,.]))/g, ' ')
      .replace(BEFORE, (_, sign: string) => `${COMPARISONS[sign]?.[1] ?? ''} `)
  );
}

const SIGNS: [RegExp, string][] = [
  [/\s*&\s*/g, ' and '],
  [/\s*\+\s*/g, ' plus '],
  [/\s*−\s*/g, ' minus '],
  [/\s*=\s*/g, ' equals '],
  [/\s*×\s*/g, ' times '],
  [/\s*÷\s*/g, ' divided by '],
  [/\s*±\s*/g, ' plus or minus '],
  [/\s*%/g, ' percent'],
  [/\s*‰/g, ' per mille'],
  [/\s*°C\b/g, ' degrees Celsius'],
  [/\s*°F\b/g, ' degrees Fahrenheit'],
  [/\s*°/g, ' degrees'],
  [/@/g, ' at '],
  // C# and F#, the languages and the notes.
  [/(?<=\b[A-G])#(?!\w)/g, ' sharp'],
  [/(?<!\S)#(?=\p{L})/gu, ' hashtag '],
  [/(?<=\bsections? )§+\s*/gi, ''],
  [/§§+\s*/g, ' sections '],
  [/§\s*/g, ' section '],
  [/√\s*/g, ' square root of '],
  [/\s*∞\s*/g, ' infinity '],
  [/\s*∑\s*/g, ' sum of '],
  [/\s*∈\s*/g, ' in '],
  [/\s*≡\s*/g, ' is identical to '],
  [/♭/g, ' flat'],
  [/♯/g, ' sharp'],
  [/[#*_~^|\\<>{}[\]/$€£¥₹₩₽₺₪₫₴₦₱₿฿¢≥≤≈≠•·¶†‡]+/g, ' '],
  // What has no name here, such as check marks and single arrows.
  [/[\p{So}\p{Sm}]+/gu, ' '],
];

/** In alphabetical order, with both forms of sigma. */
const GREEK = (
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma ' +
  'tau upsilon phi chi psi omega'
).split(' ');

/** Writes single signs in words, and drops those without a sound. */
export function speakSigns(text: string): string {
  const spoken = SIGNS.reduce((plain, [sign, words]) => plain.replace(sign, words), text);
  // A single Greek letter stands for a quantity. Several are a Greek word.
  return spoken.replace(/(?<!\p{sc=Greek})\p{sc=Greek}(?!\p{sc=Greek})/gu, (letter) => {
    const name = GREEK[letter.toLowerCase().charCodeAt(0) - 'α'.charCodeAt(0)];
    return name === undefined ? letter : ` ${name} `;
  });
}
