const LOCALE = 'en-US';

const named = (date: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, options).format(date);
const two = (number: number) => String(number).padStart(2, '0');

const DIRECTIVES: Record<string, (date: Date) => string> = {
  a: (date) => named(date, { weekday: 'short' }),
  A: (date) => named(date, { weekday: 'long' }),
  b: (date) => named(date, { month: 'short' }),
  B: (date) => named(date, { month: 'long' }),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  m: (date) => two(date.getMonth() + 1),
  y: (date) => two(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  F: (date) => strftime(date, '%Y-%m-%d'),
  T: (date) => strftime(date, '%H:%M:%S'),
  '%': () => '%',
};

/** Python's `date.strftime(format)`, in English. `%-d` leaves out a leading zero. */
export function strftime(date: Date, format: string): string {
  return format.replaceAll(/%(-?)([a-zA-Z%])/g, (all, dash: string, letter: string) => {
    const text = DIRECTIVES[letter]?.(date) ?? all;
    return dash === '' ? text : text.replace(/^[0 ](?=.)/, '');
  });
}
