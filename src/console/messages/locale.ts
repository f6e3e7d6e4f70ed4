import { signal } from '@preact/signals';

/** BCP 47 tag by which numbers, dates and plurals are written: the language of the texts, with the user's region. */
export const locale = signal('en');

/** Formats by locale and options. Making one takes as long as writing dozens of numbers, and tables have thousands. */
const made = new Map<string, Intl.NumberFormat>();

/** Writes numbers as the language that is shown does. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale.value} ${JSON.stringify(options)}`;
  const known = made.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locale.value, options);
  made.set(key, format);
  return format;
}
