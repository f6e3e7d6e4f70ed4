import type { English } from './english.ts';
import { cardinal, ordinal, year } from './numbers.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const MONTH = MONTHS.join('|');

const ISO_DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const NUMERIC_DATE = /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g;
const MONTH_DAY = new RegExp(
  `\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,? (\\d{4})\\b)?`,
  'g',
);
const DAY_MONTH = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH})\\b(?:,? (\\d{4})\\b)?`,
  'g',
);

const CLOCK = /\b([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?(?:\s*([AaPp])\.?\s?[Mm]\b)?/g;
const HOUR = /\b(1[0-2]|[1-9])\s*([AaPp])\.?\s?[Mm]\b/g;

/** Writes dates in words. Whether day or month comes first depends on the variant of English. */
export function speakDates(text: string, english: English): string {
  return text
    .replace(ISO_DATE, (date, y: string, m: string, d: string) => spoken(date, y, m, d, english))
    .replace(NUMERIC_DATE, (date, first: string, second: string, y: string) => {
      const monthFirst = Number(second) > 12 || (english === 'en-US' && Number(first) <= 12);
      return monthFirst
        ? spoken(date, y, first, second, english)
        : spoken(date, y, second, first, english);
    })
    .replace(MONTH_DAY, (_, month: string, day: string, y?: string) => monthDay(month, day, y))
    .replace(DAY_MONTH, (_, day: string, month: string, y?: string) => dayMonth(day, month, y));
}

function spoken(date: string, y: string, m: string, d: string, english: English): string {
  const month = MONTHS[Number(m) - 1];
  if (month === undefined || Number(d) < 1 || Number(d) > 31) return date;
  return english === 'en-US' ? monthDay(month, d, y) : dayMonth(d, month, y);
}

function monthDay(month: string, day: string, y?: string): string {
  return `${month} ${ordinal(day)}${y === undefined ? '' : `, ${year(y)}`}`;
}

function dayMonth(day: string, month: string, y?: string): string {
  return `the ${ordinal(day)} of ${month}${y === undefined ? '' : `, ${year(y)}`}`;
}

/** `5:30 PM` → "five thirty P.M". */
export function speakTimes(text: string): string {
  return text
    .replace(CLOCK, (_, hours: string, minutes: string, seconds?: string, half?: string) => {
      const tail = seconds === undefined ? '' : ` and ${cardinal(seconds)} seconds`;
      return clock(hours, minutes, half) + tail + halfDay(half);
    })
    .replace(HOUR, (_, hours: string, half: string) => cardinal(hours) + halfDay(half));
}

function clock(hours: string, minutes: string, half: string | undefined): string {
  const hour = cardinal(hours);
  if (minutes !== '00')
    return `${hour} ${minutes.startsWith('0') ? 'oh ' : ''}${cardinal(minutes)}`;
  if (half !== undefined) return hour;
  return Number(hours) >= 1 && Number(hours) <= 12 ? `${hour} o'clock` : `${hour} hundred hours`;
}

function halfDay(half: string | undefined): string {
  return half === undefined ? '' : ` ${half.toUpperCase()}.M`;
}
