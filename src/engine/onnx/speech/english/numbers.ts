const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen'],
  ...['eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion'];
const ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** Numbers with more digits are read digit by digit. */
const MAX_DIGITS = SCALES.length * 3;

/** Digits only, e.g. `1204` → "one thousand two hundred four". */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MAX_DIGITS) return spellDigits(digits);
  const groups = significant.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [];
  const words = groups.map((group, index) => {
    const value = Number(group);
    return value === 0 ? '' : belowThousand(value) + (SCALES[groups.length - 1 - index] ?? '');
  });
  return words.filter((word) => word !== '').join(' ') || 'zero';
}

/** `21` → "twenty-first". */
export function ordinal(digits: string): string {
  return cardinal(digits).replace(/\w+$/, ordinalWord);
}

/** `1984` → "nineteen eighty-four". Four digits. */
export function year(digits: string): string {
  const [high, low] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (low === 0) return high % 10 === 0 ? cardinal(digits) : `${belowThousand(high)} hundred`;
  // Two thousand nine, but nineteen oh nine.
  if (low < 10 && high % 10 === 0) return cardinal(digits);
  return `${belowThousand(high)} ${low < 10 ? `oh ${belowThousand(low)}` : belowThousand(low)}`;
}

/** `007` → "zero zero seven". */
export function spellDigits(digits: string): string {
  return Array.from(digits, (digit) => ONES[Number(digit)] ?? '').join(' ');
}

/** `-1,204.50` → "minus one thousand two hundred four point five zero". */
export function decimal(text: string): string {
  const sign = /^[-−]/.test(text) ? 'minus ' : '';
  const [whole = '', fraction] = text
    .replace(/^[-−+]/, '')
    .replaceAll(',', '')
    .split('.');
  const start = whole === '' ? 'zero' : cardinal(whole);
  return sign + start + (fraction === undefined ? '' : ` point ${spellDigits(fraction)}`);
}

/** "fifty" → "fifties". */
export function plural(words: string): string {
  return words.endsWith('y')
    ? `${words.slice(0, -1)}ies`
    : `${words}${/[sx]$/.test(words) ? 'es' : 's'}`;
}

function ordinalWord(word: string): string {
  const irregular = ORDINALS[word];
  if (irregular) return irregular;
  return word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word.replace(/t$/, '')}th`;
}

function belowThousand(value: number): string {
  if (value >= 100) {
    const rest = value % 100;
    const hundreds = `${ONES[Math.floor(value / 100)]} hundred`;
    return rest === 0 ? hundreds : `${hundreds} ${belowThousand(rest)}`;
  }
  if (value < 20) return ONES[value] ?? '';
  const tens = TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${tens}-${ONES[value % 10]}`;
}
