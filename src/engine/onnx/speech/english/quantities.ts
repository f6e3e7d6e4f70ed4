import { cardinal, decimal, ordinal, plural, spellDigits, year } from './numbers.ts';

const NUMBER = String.raw`\d+(?:,\d{3})*(?:\.\d+)?|\.\d+`;
const SCALE = String.raw`(?: ?(thousand|million|billion|trillion|[kKmMbB](?:n|illion)?)\b)?`;

/** Sign → names of the unit and of its hundredth, singular and plural. */
const CURRENCIES: Record<string, [one: string, many: string, cent?: string, cents?: string]> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
  '¥': ['yen', 'yen'],
  '₹': ['rupee', 'rupees'],
};
const SCALES: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion' };

/** Unit → singular and plural. It counts only after a number and if no letter follows. */
const UNITS: Record<string, [one: string, many: string]> = {
  km: ['kilometer', 'kilometers'],
  cm: ['centimeter', 'centimeters'],
  m: ['meter', 'meters'],
  mm: ['millimeter', 'millimeters'],
  mi: ['mile', 'miles'],
  ft: ['foot', 'feet'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  mg: ['milligram', 'milligrams'],
  lb: ['pound', 'pounds'],
  lbs: ['pound', 'pounds'],
  oz: ['ounce', 'ounces'],
  ml: ['milliliter', 'milliliters'],
  L: ['liter', 'liters'],
  l: ['liter', 'liters'],
  mph: ['mile per hour', 'miles per hour'],
  'km/h': ['kilometer per hour', 'kilometers per hour'],
  ms: ['millisecond', 'milliseconds'],
  s: ['second', 'seconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  W: ['watt', 'watts'],
  GHz: ['gigahertz', 'gigahertz'],
  kW: ['kilowatt', 'kilowatts'],
  V: ['volt', 'volts'],
  KB: ['kilobyte', 'kilobytes'],
  kB: ['kilobyte', 'kilobytes'],
  MB: ['megabyte', 'megabytes'],
  GB: ['gigabyte', 'gigabytes'],
  TB: ['terabyte', 'terabytes'],
  '%': ['percent', 'percent'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': ['degree', 'degrees'],
  k: ['thousand', 'thousand'],
  K: ['thousand', 'thousand'],
  M: ['million', 'million'],
  B: ['billion', 'billion'],
};
const UNIT = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|');

const FRACTIONS: Record<string, string> = {
  '1/2': 'one half',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
};

const MONEY = new RegExp(String.raw`([-−]?)([$€£¥₹]) ?(${NUMBER})${SCALE}`, 'gu');
const MEASURE = new RegExp(
  String.raw`(?<![\w.,])([-−]?(?:${NUMBER})) ?(${UNIT})(?![\p{L}\d])`,
  'gu',
);

/** Writes amounts of money in words. */
export function speakMoney(text: string): string {
  return text.replace(MONEY, (_, sign: string, symbol: string, amount: string, scale?: string) => {
    const minus = sign === '' ? '' : 'minus ';
    return minus + (scale === undefined ? coins(symbol, amount) : scaled(symbol, amount, scale));
  });
}

function scaled(symbol: string, amount: string, scale: string): string {
  const word = scale.length > 2 ? scale : (SCALES[scale.charAt(0).toLowerCase()] ?? scale);
  return `${decimal(amount)} ${word} ${CURRENCIES[symbol]?.[1] ?? ''}`;
}

function coins(symbol: string, amount: string): string {
  const [one = '', many = '', cent, cents] = CURRENCIES[symbol] ?? [];
  const [whole = '', rest = ''] = amount.replaceAll(',', '').split('.');
  // Fractions of a cent, and of a currency without cents, are read like any other number.
  if (rest !== '' && (rest.length !== 2 || cent === undefined)) {
    return `${decimal(amount)} ${many}`;
  }
  const parts: string[] = [];
  if (Number(whole) > 0 || Number(rest) === 0) {
    parts.push(`${cardinal(whole || '0')} ${Number(whole) === 1 ? one : many}`);
  }
  if (Number(rest) > 0) {
    parts.push(`${cardinal(rest)} ${Number(rest) === 1 ? cent : cents}`);
  }
  return parts.join(' and ');
}

/** Writes everything else that has digits in words. No digits are left. */
export function speakNumbers(text: string): string {
  return text
    .replace(/\b(?:\d{3}-)?\d{3}-\d{4}\b/g, phoneNumber)
    .replace(/\b((?:1\d|20)\d0)s\b/g, (_, decade: string) => plural(year(decade)))
    .replace(/(?<!\w)'?([2-9]0)s\b/g, (_, tens: string) => plural(cardinal(tens)))
    .replace(/(?<=\d) ?- ?(?=\d)/g, ' to ')
    .replace(MEASURE, (_, amount: string, unit: string) => measure(amount, unit))
    .replace(/(\d[\d,]*)(?:st|nd|rd|th)\b/g, (_, digits: string) =>
      ordinal(digits.replaceAll(',', '')),
    )
    .replace(/(?<![\w/])(\d{1,3})\/(\d{1,3})(?![\w/])/g, (_, a: string, b: string) =>
      fraction(a, b),
    )
    .replace(/#(?=\d)/g, 'number ')
    .replace(/\b\d+(?:\.\d+){2,}\b/g, (version) => version.split('.').map(cardinal).join(' point '))
    .replace(/(?<![\p{L}\d])[-−]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)|\d+/gu, plainNumber);
}

function phoneNumber(number: string): string {
  return number.split('-').map(spellDigits).join(', ');
}

function measure(amount: string, unit: string): string {
  const [one = unit, many = unit] = UNITS[unit] ?? [];
  return `${decimal(amount)} ${amount === '1' ? one : many}`;
}

function fraction(above: string, below: string): string {
  const known = FRACTIONS[`${above}/${below}`];
  if (known !== undefined) return known;
  if (Number(above) === 0 || Number(below) < 3 || Number(above) >= Number(below)) {
    return `${cardinal(above)} over ${cardinal(below)}`;
  }
  const part = ordinal(below);
  return `${cardinal(above)} ${above === '1' ? part : plural(part)}`;
}

function plainNumber(number: string, offset: number, text: string): string {
  const glued = /\p{L}/u.test(text.charAt(offset - 1)) ? ' ' : '';
  const after = /\p{L}/u.test(text.charAt(offset + number.length)) ? ' ' : '';
  return glued + numberWords(number) + after;
}

function numberWords(number: string): string {
  // A number from 1100 to 2099 is usually a year.
  if (/^(?:1[1-9]|20)\d\d$/.test(number)) return year(number);
  if (/^0\d+$/.test(number)) return spellDigits(number);
  return decimal(number);
}
