import { toCardinal, toOrdinal } from 'n2words/en-US';

const FRACTIONS: Record<string, string> = {
  '1/2': 'one half',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
};

/** Numbers with more digits are read digit by digit. */
const MAX_DIGITS = 18;

/** Digits only, e.g. `1204` → "one thousand two hundred four". */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  return significant.length > MAX_DIGITS ? spellDigits(digits) : toCardinal(significant);
}

/** `21` → "twenty-first". */
export function ordinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant === '0') return 'zeroth';
  if (significant.length <= MAX_DIGITS) return toOrdinal(significant);
  return `${spellDigits(digits.slice(0, -1))} ${ordinal(digits.slice(-1))}`;
}

/** `1984` → "nineteen eighty-four". Four digits. */
export function year(digits: string): string {
  const [high, low] = [digits.slice(0, 2), digits.slice(2)];
  // Two thousand nine, but nineteen oh nine.
  if (Number(low) < 10 && high.endsWith('0')) return cardinal(digits);
  if (low === '00') return `${cardinal(high)} hundred`;
  return `${cardinal(high)} ${low.startsWith('0') ? 'oh ' : ''}${cardinal(low)}`;
}

/** `007` → "zero zero seven". */
export function spellDigits(digits: string): string {
  return Array.from(digits, (digit) => toCardinal(digit)).join(' ');
}

/** `-1,204.50` → "minus one thousand two hundred four point five zero". */
export function decimal(text: string): string {
  const sign = /^[-−]/.test(text) ? 'minus ' : '';
  const [whole = '', decimals] = text
    .replace(/^[-−+]/, '')
    .replaceAll(',', '')
    .split('.');
  const start = whole === '' ? 'zero' : cardinal(whole);
  return sign + start + (decimals === undefined ? '' : ` point ${spellDigits(decimals)}`);
}

/** "fifty" → "fifties". */
export function plural(words: string): string {
  return words.endsWith('y')
    ? `${words.slice(0, -1)}ies`
    : `${words}${/[sx]$/.test(words) ? 'es' : 's'}`;
}

/** `2/3` → "two thirds". */
export function fraction(above: string, below: string): string {
  const known = FRACTIONS[`${above}/${below}`];
  if (known !== undefined) return known;
  if (above === below) return `${cardinal(above)} out of ${cardinal(below)}`;
  if (Number(above) === 0 || Number(below) < 3 || Number(above) >= Number(below)) {
    return `${cardinal(above)} over ${cardinal(below)}`;
  }
  const part =
    below === '4'
      ? 'quarter'
      : ordinal(below).replace(/^one (?=(?:hundred|thousand|million)th$)/, '');
  return `${cardinal(above)} ${above === '1' ? part : plural(part)}`;
}

const POWERS: Record<string, string> = { 2: ' squared', 3: ' cubed' };

/** `(-3)` → " to the power of minus three". */
export function exponent(power: string): string {
  const bare = power.replace(/[(){}+]/g, '');
  return POWERS[bare] ?? ` to the power of ${/\d$/.test(bare) ? decimal(bare) : bare}`;
}
