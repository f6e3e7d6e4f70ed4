import type { English } from '../english.ts';
import { cardinal, ordinal, year } from './numbers.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTH = MONTHS.join('|');
const ORDINAL = '(?:st|nd|rd|th)';

/** Month names without a dot are short only beside a number: `Mar` is a name, too. */
const SHORT_MONTHS = 'Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
const SHORT_WEEKDAYS = 'Mon|Tues?|Wed|Thu|Thurs?|Fri|Sat|Sun';
const SHORT_NAMES = `${SHORT_MONTHS}|${SHORT_WEEKDAYS}|May`;
const SHORT_MONTH = new RegExp(
  `\\b(?:${SHORT_MONTHS})\\b(?= \\d)|(?<=\\d${ORDINAL}? (?:of )?)(?:${SHORT_MONTHS})\\b`,
  'g',
);
const SHORT_WEEKDAY = new RegExp(`\\b(?:${SHORT_WEEKDAYS})\\b(?=,? (?:\\d|${MONTH}))`, 'g');
const SHORT_RANGE = new RegExp(`\\b(${SHORT_NAMES})(?: — |-)(${SHORT_NAMES})\\b`, 'g');

/** `12-Mar-2024` */
const HYPHENATED = new RegExp(
  `(?<![\\w-])(\\d{1,2})-(${MONTH}|${SHORT_MONTHS}|May)-(\\d{4}|\\d{2})(?![\\w-])`,
  'g',
);
/** Months and days have leading zeros or a weekday, fractions have neither. */
const WITHOUT_YEAR = new RegExp(
  `(?<![\\w/.])(?:(?=\\d\\d/\\d\\d)(?=0|\\d\\d/0)|(?<=\\b(?:${[...WEEKDAYS].join('|')}),? ))(\\d{1,2})/(\\d{1,2})(?![\\w/])`,
  'g',
);

const ISO_TIME = /(?<=\b\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z)?/g;
const ISO_DATE = /\b(\d{4})([-/.])(\d{2})\2(\d{2})\b/g;
/** `2024-3-5`. With points, it is a version. */
const SHORT_ISO_DATE = /\b((?:19|20)\d\d)([-/])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])\b(?!\2\d)/g;
const ISO_MONTH = /(?<![\w-])(\d{4})-(0[1-9])(?![\w-])/g;
/** `12/2023` */
const MONTH_YEAR = /(?<![\w/.-])(0?[1-9]|1[0-2])\/((?:19|20)\d\d)(?![\w/]|\.\d)/g;
const NUMERIC_DATE = /\b(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<=\/)\d{2})\b(?![./]\d)/g;
const DAYS = `(\\d{1,2})(${ORDINAL})?(?: ?- ?(\\d{1,2})${ORDINAL}?)?`;
const MONTH_DAY = new RegExp(`\\b(${MONTH}) ${DAYS}\\b(?![:.,]\\d)(?:,? (\\d{4})\\b)?`, 'g');
const DAY_MONTH = new RegExp(
  `(?<![\\d.,:/-])${DAYS} (of )?(${MONTH})\\b(?!-\\d)(?:,? (\\d{4})\\b)?`,
  'g',
);
const NAMES = [...MONTHS, ...WEEKDAYS].join('|');
const NAMES_RANGE = new RegExp(
  `((?:${NAMES})(?: \\d{1,2}${ORDINAL}?)?)(?: — |-)(?=(?:\\d{1,2} )?(?:${NAMES})\\b)`,
  'g',
);

/** Words before a date that have the place of its article. */
const DETERMINER =
  /\b(?:the|an?|every|each|this|that|next|last|any|my|our|his|her|its|their|your)\s$/i;

const CLOCK = /\b([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?(?:\s*([AaPp])\.?\s?[Mm]\b)?/g;
const DOTTED_CLOCK = /\b(1[0-2]|[1-9])\.([0-5]\d)\s?(?=[AaPp]\.?[Mm]\b)/g;
const HOUR = /\b(1[0-2]|[1-9])\s*([AaPp])\.?\s?[Mm]\b/g;
/** The dash between two times. */
const TIMES_RANGE =
  /(?<=\b\d{1,2}(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?)\s?[-—]\s?(?=\d{1,2}(?::\d\d(?:\s?[AaPp]\.?[Mm])?|\s?[AaPp]\.?[Mm])\b|noon\b|midnight\b)/g;

/** Writes dates in words. Whether day or month comes first depends on the variant of English. */
export function speakDates(text: string, english: English): string {
  const full = (short: string) =>
    [...MONTHS, ...WEEKDAYS].find((name) => name.startsWith(short.slice(0, 3))) ?? short;
  return text
    .replace(
      HYPHENATED,
      (_, day: string, month: string, y: string) => `${day} ${full(month)} ${fourDigits(y)}`,
    )
    .replace(SHORT_RANGE, (_, from: string, to: string) => `${full(from)} to ${full(to)}`)
    .replace(SHORT_MONTH, full)
    .replace(SHORT_WEEKDAY, full)
    .replace(NAMES_RANGE, '$1 to ')
    .replace(ISO_TIME, (_, time: string, zone?: string) => ` ${time}${zone ? ' UTC' : ''}`)
    .replace(SHORT_ISO_DATE, (_, y: string, sign: string, m: string, d: string) =>
      [y, m.padStart(2, '0'), d.padStart(2, '0')].join(sign),
    )
    .replace(ISO_DATE, (date, y: string, _, m: string, d: string, at: number, whole: string) =>
      numericDate(date, y, m, d, english, hasDeterminer(whole, at)),
    )
    .replace(ISO_MONTH, (_, y: string, m: string) => `${MONTHS[Number(m) - 1]} ${year(y)}`)
    .replace(MONTH_YEAR, (_, m: string, y: string) => `${MONTHS[Number(m) - 1]} ${year(y)}`)
    .replace(
      NUMERIC_DATE,
      (date, a: string, _, b: string, y: string, at: number, whole: string) => {
        const monthFirst = Number(b) > 12 || (english === 'en-US' && Number(a) <= 12);
        const [month, day] = monthFirst ? [a, b] : [b, a];
        return numericDate(date, fourDigits(y), month, day, english, hasDeterminer(whole, at));
      },
    )
    .replace(WITHOUT_YEAR, (date, a: string, b: string, at: number, whole: string) => {
      const monthFirst = Number(b) > 12 || (english === 'en-US' && Number(a) <= 12);
      const [month, day] = monthFirst ? [a, b] : [b, a];
      return numericDate(date, undefined, month, day, english, hasDeterminer(whole, at));
    })
    .replace(
      MONTH_DAY,
      (date, month: string, day: string, _, last: string | undefined, y?: string) =>
        isDay(day) ? monthDay(month, days(day, last), y) : date,
    )
    .replace(
      DAY_MONTH,
      (
        date,
        day: string,
        written: string | undefined,
        last: string | undefined,
        of: string | undefined,
        month: string,
        y: string | undefined,
        at: number,
        whole: string,
      ) => {
        if (!isDay(day)) return date;
        // `4th of July` has the article that its writer gave it.
        const bare = hasDeterminer(whole, at) || (written !== undefined && of !== undefined);
        return dayMonth(days(day, last), month, y, bare);
      },
    );
}

/** @param bare - without an article */
function numericDate(
  date: string,
  y: string | undefined,
  m: string,
  d: string,
  english: English,
  bare: boolean,
): string {
  const month = MONTHS[Number(m) - 1];
  if (month === undefined || !isDay(d)) return date;
  return english === 'en-US'
    ? monthDay(month, ordinal(d), y)
    : dayMonth(ordinal(d), month, y, bare);
}

function monthDay(month: string, day: string, y?: string): string {
  return `${month} ${day}${y === undefined ? '' : `, ${year(y)}`}`;
}

function dayMonth(day: string, month: string, y: string | undefined, bare: boolean): string {
  return `${bare ? '' : 'the '}${day} of ${month}${y === undefined ? '' : `, ${year(y)}`}`;
}

function days(first: string, last: string | undefined): string {
  return last === undefined ? ordinal(first) : `${ordinal(first)} to ${ordinal(last)}`;
}

function isDay(day: string): boolean {
  return Number(day) >= 1 && Number(day) <= 31;
}

function hasDeterminer(text: string, at: number): boolean {
  return DETERMINER.test(text.slice(Math.max(0, at - 10), at));
}

/** `24` is 2024, `87` is 1987. */
function fourDigits(y: string): string {
  if (y.length === 4) return y;
  return Number(y) < 50 ? `20${y}` : `19${y}`;
}

/** `5:30 PM` → "five thirty P.M". */
export function speakTimes(text: string): string {
  return text
    .replace(/(?<=\b(?:UTC|GMT))-(?=\d)/g, ' minus ')
    .replace(TIMES_RANGE, ' to ')
    .replace(DOTTED_CLOCK, '$1:$2 ')
    .replace(CLOCK, (_, hours: string, minutes: string, seconds?: string, half?: string) => {
      const tail =
        seconds === undefined || seconds === '00' ? '' : ` and ${cardinal(seconds)} seconds`;
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
