import { ToWords } from 'to-words';

/** Writes numbers in words by other rules than the product's library does. */
const numbers = new ToWords({ localeCode: 'en-US' });

export const cardinal = (value: number) => numbers.convert(value).toLowerCase();
export const ordinal = (value: number) => numbers.toOrdinal(value).toLowerCase();
/** Digit by digit. */
export const digits = (text: string) =>
  Array.from(text, (digit) => cardinal(Number(digit))).join(' ');
/** A number with its noun. */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${cardinal(value)} ${value === 1 ? one : many}`;
/** `st` for 1, `th` for 11. */
export const suffix = (value: number) => {
  const last = value % 100 > 10 && value % 100 < 14 ? 0 : value % 10;
  return ['th', 'st', 'nd', 'rd'][last] ?? 'th';
};
/** A Roman numeral below 90. */
export const roman = (value: number) => {
  const table: Record<string, number> = { L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1 };
  let [rest, numeral] = [value, ''];
  for (const [letters, worth] of Object.entries(table)) {
    for (; rest >= worth; rest -= worth) numeral += letters;
  }
  return numeral;
};
