import { cardinal, decimal, exponent, fraction } from './numbers.ts';

/** Singular and plural. */
type Names = [one: string, many: string];

const regular = (name: string): Names => [name, `${name}s`];
const same = (name: string): Names => [name, name];

/** Symbol → names. */
const UNITS: Record<string, Names> = {
  km: regular('kilometer'),
  m: regular('meter'),
  cm: regular('centimeter'),
  mm: regular('millimeter'),
  μm: regular('micrometer'),
  nm: regular('nanometer'),
  mi: regular('mile'),
  yd: regular('yard'),
  ft: ['foot', 'feet'],
  'in.': ['inch', 'inches'],
  ha: regular('hectare'),
  kg: regular('kilogram'),
  g: regular('gram'),
  mg: regular('milligram'),
  μg: regular('microgram'),
  lb: regular('pound'),
  lbs: regular('pound'),
  oz: regular('ounce'),
  L: regular('liter'),
  l: regular('liter'),
  dL: regular('deciliter'),
  mL: regular('milliliter'),
  ml: regular('milliliter'),
  cl: regular('centiliter'),
  gal: regular('gallon'),
  tsp: regular('teaspoon'),
  tbsp: regular('tablespoon'),
  'fl oz': regular('fluid ounce'),
  'fl. oz.': regular('fluid ounce'),
  pt: regular('pint'),
  qt: regular('quart'),
  cc: regular('cubic centimeter'),
  mcg: regular('microgram'),
  sqft: ['square foot', 'square feet'],
  Å: regular('angstrom'),
  mpg: ['mile per gallon', 'miles per gallon'],
  kn: regular('knot'),
  mph: ['mile per hour', 'miles per hour'],
  kph: ['kilometer per hour', 'kilometers per hour'],
  rpm: ['revolution per minute', 'revolutions per minute'],
  bpm: ['beat per minute', 'beats per minute'],
  fps: ['frame per second', 'frames per second'],
  dpi: ['dot per inch', 'dots per inch'],
  psi: ['pound per square inch', 'pounds per square inch'],
  ppm: ['part per million', 'parts per million'],
  ppb: ['part per billion', 'parts per billion'],
  ns: regular('nanosecond'),
  μs: regular('microsecond'),
  ms: regular('millisecond'),
  s: regular('second'),
  sec: regular('second'),
  min: regular('minute'),
  mins: regular('minute'),
  h: regular('hour'),
  hr: regular('hour'),
  hrs: regular('hour'),
  wk: regular('week'),
  wks: regular('week'),
  mo: regular('month'),
  yr: regular('year'),
  yrs: regular('year'),
  Hz: same('hertz'),
  kHz: same('kilohertz'),
  MHz: same('megahertz'),
  GHz: same('gigahertz'),
  mW: regular('milliwatt'),
  W: regular('watt'),
  kW: regular('kilowatt'),
  MW: regular('megawatt'),
  GW: regular('gigawatt'),
  Wh: regular('watt hour'),
  kWh: regular('kilowatt hour'),
  MWh: regular('megawatt hour'),
  mV: regular('millivolt'),
  V: regular('volt'),
  kV: regular('kilovolt'),
  mA: regular('milliamp'),
  mAh: regular('milliamp hour'),
  Ω: regular('ohm'),
  kΩ: regular('kilohm'),
  MΩ: regular('megohm'),
  N: regular('newton'),
  'N·m': regular('newton meter'),
  'N⋅m': regular('newton meter'),
  J: regular('joule'),
  kJ: regular('kilojoule'),
  MJ: regular('megajoule'),
  cal: regular('calorie'),
  kcal: regular('kilocalorie'),
  Pa: regular('pascal'),
  hPa: regular('hectopascal'),
  kPa: regular('kilopascal'),
  MPa: regular('megapascal'),
  atm: regular('atmosphere'),
  mmHg: ['millimeter of mercury', 'millimeters of mercury'],
  lm: regular('lumen'),
  lx: same('lux'),
  dB: regular('decibel'),
  mol: regular('mole'),
  px: regular('pixel'),
  kbit: regular('kilobit'),
  Mbit: regular('megabit'),
  Gbit: regular('gigabit'),
  bps: ['bit per second', 'bits per second'],
  kbps: ['kilobit per second', 'kilobits per second'],
  Mbps: ['megabit per second', 'megabits per second'],
  Gbps: ['gigabit per second', 'gigabits per second'],
  KB: regular('kilobyte'),
  kB: regular('kilobyte'),
  MB: regular('megabyte'),
  GB: regular('gigabyte'),
  TB: regular('terabyte'),
  PB: regular('petabyte'),
  KiB: regular('kibibyte'),
  MiB: regular('mebibyte'),
  GiB: regular('gibibyte'),
  TiB: regular('tebibyte'),
  '%': same('percent'),
  '‰': same('per mille'),
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': regular('degree'),
  k: same('thousand'),
  K: same('thousand'),
  M: same('million'),
  B: same('billion'),
  mn: same('million'),
  bn: same('billion'),
  tn: same('trillion'),
};
/** After a slash only. */
const PER: Record<string, string> = {
  day: 'day',
  week: 'week',
  month: 'month',
  year: 'year',
  hour: 'hour',
  minute: 'minute',
  second: 'second',
  person: 'person',
  user: 'user',
  night: 'night',
  d: 'day',
};

const oneOf = (names: string[]) =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll('.', '\\.'))
    .join('|');
const UNIT = oneOf(Object.keys(UNITS));
const BELOW = oneOf([
  ...Object.keys(PER),
  ...Object.keys(UNITS).filter((unit) => /^\p{L}+$/u.test(unit)),
]);

const NUMBER = String.raw`\d+(?:,\d{3})*(?:\.\d+)?|\.\d+`;
const END = String.raw`(?![\p{L}\p{N}])`;
const MEASURE = new RegExp(
  String.raw`(?<![\w.,^]|\^-)([-−]?(?:${NUMBER}))(\^-?\d+)?(?: ?|(-))(sq\.? |cu\.? )?(${UNIT})(?:\^?([23]))?(?:\/(${BELOW})(?:\^?([23]))?)?${END}(?!\/\p{L})(?:\.(?=,|\s+\p{Ll}))?`,
  'gu',
);
const FRACTION = new RegExp(
  String.raw`(?<![\w/.,])(?:(\d+) and )?(\d{1,3})\/(\d{1,3})[ -]?(${UNIT})${END}(?:\.(?=,|\s+\p{Ll}))?`,
  'gu',
);
/** Signs between two measures, or a measure and a number. */
const BETWEEN = new RegExp(String.raw`(?<=\d ?(?:${UNIT})) ?([-x×/]) ?(?=\d)`, 'gu');
const BETWEEN_WORDS: Record<string, string> = { '-': 'to', x: 'by', '×': 'by', '/': 'per' };
const HOURS = /(?<![\w.,])(\d+) ?h(?:rs?)? ?(\d+) ?m(?:in)?(?: ?(\d+) ?s(?:ec)?)?(?![\p{L}\d])/gu;
const MINUTES = /(?<![\w.,])(\d+) ?m(?:in)? ?(\d+) ?s(?:ec)?(?![\p{L}\d])/gu;
const FEET =
  /(?<![\w.,])(\d+)(?:'| ?ft\.?) ?(\d+)(?:"|''| ?in\b)|(?<![\w.,'])(\d)'(\d|1[01])(?![\w'])/g;
/** `14h30` */
const HOURS_ALONE = /(?<![\w.,])(\d+)h([0-5]\d)(?![\p{L}\d])/gu;
const POINTS: Record<string, string> = { N: 'north', E: 'east', S: 'south', W: 'west' };
const POINT = /(?<=\d ?° ?(?:\d+ ?' ?(?:\d+(?:\.\d+)? ?(?:"|'') ?)?)?)([NESW])(?![\p{L}\d])/gu;
/** Begins a noun with a measure as its adjective: `a 12" pizza`. */
const NOUN = String.raw`(?=( (?!(?:tall|high|long|wide|deep|thick|away|above|below|and|or|of|in|to|at|by|from|with|for|is|was|are|were)\b)\p{L})?)`;
/** A sign of inches, unless it ends a quotation. */
const INCHES = new RegExp(
  String.raw`(?<=(?<![\w.,/'"°]|\d ?'|° ?)\d+(?:\.\d+|(?: \d+)?\/\d+)?) ?"${NOUN}`,
  'gu',
);
const FEET_ALONE = new RegExp(String.raw`(?<=(?<![^\s(])\d+)'(?![\w'"])${NOUN}`, 'gu');
const DECIMAL_COMMA = new RegExp(
  String.raw`(?<![\w.,])(\d+),(\d{1,2})(?= ?(?:${UNIT})${END})`,
  'gu',
);
const ARC = /(\d+) ?° ?(\d+) ?'(?: ?(\d+(?:\.\d+)?) ?(?:"|''))?/g;
/** The unit after a slash. A group of its own in a regular expression. */
export const PER_UNIT = String.raw`(?:\/(${BELOW})${END})?`;
const POWERS = { length: { 2: 'square', 3: 'cubic' }, other: { 2: 'squared', 3: 'cubed' } };

/** Writes measures of several units in words: `1h 30m`, `5'10"`, `40°26'46"`. */
export function speakCompoundMeasures(text: string): string {
  return text
    .replace(POINT, (letter) => ` ${POINTS[letter] ?? letter}`)
    .replace(HOURS_ALONE, (_, h: string, m: string) => `${amount(h, 'h')} ${amount(m, 'min')}`)
    .replace(HOURS, (_, h: string, m: string, s?: string) =>
      [amount(h, 'h'), amount(m, 'min'), ...(s === undefined ? [] : [amount(s, 's')])].join(' '),
    )
    .replace(MINUTES, (_, m: string, s: string) => `${amount(m, 'min')} ${amount(s, 's')}`)
    .replace(ARC, (_, degrees: string, minutes: string, seconds?: string) =>
      [
        amount(degrees, '°'),
        amount(minutes, 'min'),
        ...(seconds === undefined ? [] : [amount(seconds, 's')]),
      ].join(' '),
    )
    .replace(
      FEET,
      (_, feet: string | undefined, inches: string | undefined, f = '', i = '') =>
        `${amount(feet ?? String(f), 'ft')} ${amount(inches ?? String(i), 'in.')}`,
    )
    .replace(INCHES, (sign, noun: string | undefined, at: number, whole: string) => {
      if (isQuoting(whole.slice(0, at))) return sign;
      return noun === undefined ? ' in.' : '-in.';
    })
    .replace(FEET_ALONE, (sign, noun: string | undefined, at: number, whole: string) => {
      // Behind a quotation mark, it may be the closing one.
      if (/(?<![\p{L}\d])'/u.test(whole.slice(0, at))) return sign;
      return noun === undefined ? ' ft' : '-ft';
    })
    .replace(DECIMAL_COMMA, '$1.$2');
}

/** Whether a quotation has begun that has not ended. */
function isQuoting(text: string): boolean {
  return [...text.matchAll(/(\d ?)?"/g)].reduce(
    (isOpen, [, digit]) => (digit === undefined ? !isOpen : false),
    false,
  );
}

/** Writes measures in words: `5 m/s` → "five meters per second", `3 ft²` → "three square feet". */
export function speakMeasures(text: string): string {
  return text
    .replace(BETWEEN, (_, sign: string) => ` ${BETWEEN_WORDS[sign] ?? sign} `)
    .replace(
      FRACTION,
      (_, whole: string | undefined, above: string, below: string, unit: string) => {
        const [one, many] = powered(unit, undefined);
        const part = fraction(above, below);
        return whole === undefined ? `${part} ${one}` : `${cardinal(whole)} and ${part} ${many}`;
      },
    )
    .replace(
      MEASURE,
      (
        _,
        number: string,
        magnitude: string | undefined,
        hyphen: string | undefined,
        square: string | undefined,
        unit: string,
        power: string | undefined,
        below: string | undefined,
        belowPower?: string,
      ) => {
        const given = square === undefined ? power : square.startsWith('sq') ? '2' : '3';
        const [one, many] = powered(unit, given);
        // In `a 5-km run`, the unit is an adjective.
        const name = number === '1' || hyphen !== undefined ? one : many;
        const times = magnitude === undefined ? '' : exponent(magnitude.slice(1));
        return `${decimal(number)}${times} ${name}${perUnit(below, belowPower)}`;
      },
    );
}

function amount(number: string, unit: string): string {
  const [one, many] = powered(unit, undefined);
  return `${decimal(number)} ${number === '1' ? one : many}`;
}

/** " per month" for `mo`, "" without a unit. */
export function perUnit(unit: string | undefined, power?: string): string {
  return unit === undefined ? '' : ` per ${PER[unit] ?? powered(unit, power)[0]}`;
}

/** Names of a unit or of its square or cube: lengths are "square meters", others "seconds squared". */
function powered(unit: string, power: string | undefined): Names {
  const [one, many] = UNITS[unit] ?? same(unit);
  if (power !== '2' && power !== '3') return [one, many];
  if (!/meter|mile|yard|foot|inch/.test(one)) {
    const after = POWERS.other[power];
    return [`${one} ${after}`, `${many} ${after}`];
  }
  return [`${POWERS.length[power]} ${one}`, `${POWERS.length[power]} ${many}`];
}
