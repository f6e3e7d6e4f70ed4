import { cardinal, count, digits, ordinal, suffix } from './number-words.ts';
import { SYMBOL_FORMS } from './written-symbols.ts';
import { TEXT_FORMS, type Form } from './written-texts.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/** Every form, by kind. The words are made of the number's, not of the product's output. */
export const FORMS: Record<string, Form[]> = {
  numbers: [
    ...[
      0, 1, 7, 11, 13, 18, 20, 21, 40, 58, 99, 100, 101, 110, 115, 342, 999, 1000, 1001, 1066,
    ].map((value): Form => [String(value), cardinal(value)]),
    ...[2100, 3456, 9999, 10000, 12345, 100000, 654321, 1000000, 7654321, 2000000000].map(
      (value): Form => [value.toLocaleString('en-US'), cardinal(value)],
    ),
    ...[1, 12, 273].map((value): Form => [`-${value}`, `minus ${cardinal(value)}`]),
    ...[1, 12, 273].map((value): Form => [`−${value}`, `minus ${cardinal(value)}`]),
    ...(
      [
        [3, '14'],
        [0, '5'],
        [12, '075'],
        [99, '9'],
      ] satisfies [number, string][]
    ).map(([whole, rest]): Form => [
      `${whole}.${rest}`,
      `${cardinal(whole)} point ${digits(rest)}`,
    ]),
    ...[2, 5, 7].map((value): Form => [`${value}M users`, `${cardinal(value)} million users`]),
    ...[10, 250].map((value): Form => [`${value}\u202f000`, cardinal(value * 1000)]),
    ...[6000, 1_234_567].flatMap((value): Form[] =>
      ["'", '’', '_'].map((sign) => [
        value.toLocaleString('en-US').replaceAll(',', sign),
        cardinal(value),
      ]),
    ),
    ...[100_000, 1_234_567].map((value): Form => [value.toLocaleString('en-IN'), cardinal(value)]),
    ['1.234,56', `${cardinal(1234)} point five six`],
    ...['007', '042'].map((text): Form => [text, digits(text)]),
    ...[1, 8, 44].map((value): Form => [`#${value}`, `number ${cardinal(value)}`]),
    ...[2, 30].map((value): Form => [`№ ${value}`, `number ${cardinal(value)}`]),
    ...[3, 100].map((value): Form => [`~${value}`, `about ${cardinal(value)}`]),
  ],
  ordinals: [...Array.from({ length: 25 }, (_, index) => index + 1), 31, 52, 100, 113, 1000].map(
    (value): Form => [`the ${value}${suffix(value)} item`, `the ${ordinal(value)} item`],
  ),
  years: [
    ...[1776, 1812, 1945, 1984, 1999, 2010, 2024, 2050].map((year): Form => [
      `in ${year}`,
      `in ${cardinal(Math.floor(year / 100))} ${cardinal(year % 100)}`,
    ]),
    ...[1905, 1607].map((year): Form => [
      `in ${year}`,
      `in ${cardinal(Math.floor(year / 100))} oh ${cardinal(year % 100)}`,
    ]),
    ...[2000, 2005, 2009].map((year): Form => [`in ${year}`, `in ${cardinal(year)}`]),
    ['the 1990s', 'the nineteen nineties'],
    ["the '60s", 'the sixties'],
    ["the 60's", 'the sixties'],
    ['the 1920s–1930s', 'the nineteen twenties to nineteen thirties'],
    ["the 1990's", 'the nineteen nineties'],
  ],
  dates: MONTHS.flatMap((month, index): Form[] => {
    const [day, last] = [index + 1, index + 13];
    const [mm, dd] = [day, last].map((value) => String(value).padStart(2, '0'));
    const year = 'twenty twenty four';
    return [
      [`the ${day}${suffix(day)} of ${month}`, `the ${ordinal(day)} of ${month}`],
      [`every ${last}${suffix(last)} of ${month}`, `every ${ordinal(last)} of ${month}`],
      [`on ${day} ${month} 2024`, `on the ${ordinal(day)} of ${month}, ${year}`],
      [`the ${last} ${month} news`, `the ${ordinal(last)} of ${month} news`],
      [`on ${month} ${last}, 2024`, `on ${month} ${ordinal(last)}, ${year}`],
      [`on ${month} ${day}${suffix(day)}`, `on ${month} ${ordinal(day)}`],
      [`on ${month.slice(0, 3)} ${last}`, `on ${month} ${ordinal(last)}`],
      [`${month} ${day}–${last}`, `${month} ${ordinal(day)} to ${ordinal(last)}`],
      [`${day}–${last} ${month}`, `the ${ordinal(day)} to ${ordinal(last)} of ${month}`],
      [`2024-${mm}-${dd}`, `${month} ${ordinal(last)}, ${year}`],
      [`${mm}-${dd}-2024`, `${month} ${ordinal(last)}, ${year}`],
      [`2024/${mm}/${dd}`, `${month} ${ordinal(last)}, ${year}`],
      [`${mm}/${dd}/2024`, `${month} ${ordinal(last)}, ${year}`],
      [`${day}/${last}/24`, `${month} ${ordinal(last)}, ${year}`],
      [`${mm}/0${(index % 9) + 1}`, `${month} ${ordinal((index % 9) + 1)}`],
      [`${mm}/2024`, `${month} twenty twenty four`],
      [`on Tue ${day}/${last}`, `on Tuesday ${month} ${ordinal(last)}`],
      [`${last}-${month.slice(0, 3)}-2024`, `the ${ordinal(last)} of ${month}, ${year}`],
      [`the ${last}th of ${month.slice(0, 3)}`, `the ${ordinal(last)} of ${month}`],
    ];
  }),
  times: [
    ...[1, 4, 9, 12].flatMap((hour): Form[] => [
      [`at ${hour}:30`, `at ${cardinal(hour)} thirty`],
      [`at ${hour}:05 PM`, `at ${cardinal(hour)} oh five PM`],
      [`at ${hour}:45pm sharp`, `at ${cardinal(hour)} forty five PM sharp`],
      [`at ${hour} a.m. sharp`, `at ${cardinal(hour)} AM sharp`],
      [`at ${hour}:00`, `at ${cardinal(hour)} o'clock`],
      [`${hour}–${hour + 1}:30`, `${cardinal(hour)} to ${cardinal(hour + 1)} thirty`],
    ]),
    ...[13, 17, 23].map((hour): Form => [`at ${hour}:15`, `at ${cardinal(hour)} fifteen`]),
    ['9–11 a.m. daily', 'nine to eleven AM daily'],
    ['9am–5pm', 'nine AM to five PM'],
    ['at 5.30pm', 'at five thirty PM'],
    ['24/7', 'twenty four seven'],
    ['2h 15m', 'two hours fifteen minutes'],
    ['5m 30s', 'five minutes thirty seconds'],
  ],
  money: [
    ...(
      [
        ['$', 'dollar', 'dollars'],
        ['€', 'euro', 'euros'],
        ['£', 'pound', 'pounds'],
        ['₹', 'rupee', 'rupees'],
        ['₱', 'peso', 'pesos'],
      ] satisfies [string, string, string][]
    ).flatMap(([sign, one, many]): Form[] => [
      ...[1, 5, 20, 300].flatMap((value): Form[] => [
        [`${sign}${value} now`, `${count(value, one, many)} now`],
        [`${value} ${sign} now`, `${count(value, one, many)} now`],
        [`${value}${sign} now`, `${count(value, one, many)} now`],
      ]),
      [`${sign}5 million`, `five million ${many}`],
      [`${sign}1.5tn`, `one point five trillion ${many}`],
      [`${sign}2.5bn`, `two point five billion ${many}`],
      [`${sign}5–10`, `five to ten ${many}`],
      [`${sign}5–${sign}10`, `five ${many} to ten ${many}`],
      [`-${sign}7`, `minus seven ${many}`],
      [`${sign}9/month`, `nine ${many} per month`],
    ]),
    ...(
      [
        ['US$', 'USD', 'US dollar', 'US dollars'],
        ['A$', 'AUD', 'Australian dollar', 'Australian dollars'],
        ['C$', 'CAD', 'Canadian dollar', 'Canadian dollars'],
        ['NZ$', 'NZD', 'New Zealand dollar', 'New Zealand dollars'],
        ['HK$', 'HKD', 'Hong Kong dollar', 'Hong Kong dollars'],
      ] satisfies [string, string, string, string][]
    ).flatMap(([sign, code, one, many]): Form[] => [
      ...[1, 5].flatMap((value): Form[] => [
        [`${sign}${value} now`, `${count(value, one, many)} now`],
        [`${code} ${value} now`, `${count(value, one, many)} now`],
        [`${value} ${code} now`, `${count(value, one, many)} now`],
      ]),
      [`${sign}3.50`, `three ${many} and fifty cents`],
    ]),
    ...[1, 25, 50].map((value): Form => [`${value}¢`, count(value, 'cent')]),
    ['$3.50', 'three dollars and fifty cents'],
    ['£1.01', 'one pound and one penny'],
    ['~$5', 'about five dollars'],
    ['$1.5k–2k', 'one point five to two thousand dollars'],
    ['5EUR', 'five euros'],
    ['€1.000', 'one thousand euros'],
    ['₹1,00,000', 'one hundred thousand rupees'],
    ['CHF 1’500', 'one thousand five hundred Swiss francs'],
    ['5,50 €', 'five euros and fifty cents'],
    ['US $5', 'five US dollars'],
    ['a $5 fee', 'a five dollar fee'],
    ['two $5 bills', 'two five dollar bills'],
    ['a $5 million house', 'a five million dollar house'],
    ['$5 - $3 = $2', 'five dollars minus three dollars equals two dollars'],
    ['100 CHF', 'one hundred Swiss francs'],
  ],
  units: [
    ...(
      [
        ['km', 'kilometer', 'kilometers'],
        ['cm', 'centimeter', 'centimeters'],
        ['ft', 'foot', 'feet'],
        ['mi', 'mile', 'miles'],
        ['kg', 'kilogram', 'kilograms'],
        ['mg', 'milligram', 'milligrams'],
        ['µg', 'microgram', 'micrograms'],
        ['lb', 'pound', 'pounds'],
        ['oz', 'ounce', 'ounces'],
        ['mL', 'milliliter', 'milliliters'],
        ['kWh', 'kilowatt hour', 'kilowatt hours'],
        ['mAh', 'milliamp hour', 'milliamp hours'],
        ['Ω', 'ohm', 'ohms'],
        ['GHz', 'gigahertz', 'gigahertz'],
        ['GB', 'gigabyte', 'gigabytes'],
        ['kPa', 'kilopascal', 'kilopascals'],
        ['dB', 'decibel', 'decibels'],
        ['ms', 'millisecond', 'milliseconds'],
        ['hrs', 'hour', 'hours'],
        ['%', 'percent', 'percent'],
        ['°C', 'degree Celsius', 'degrees Celsius'],
      ] satisfies [string, string, string][]
    ).flatMap(([unit, one, many]): Form[] => [
      [`1 ${unit}`, `one ${one}`],
      [`5${unit}`, `five ${many}`],
      [`2–3 ${unit}`, `two to three ${many}`],
      [`2 ${unit}–3 ${unit}`, `two ${many} to three ${many}`],
    ]),
    ...(
      [
        ['m', 'meters', 'meter'],
        ['km', 'kilometers', 'kilometer'],
        ['cm', 'centimeters', 'centimeter'],
        ['ft', 'feet', 'foot'],
      ] satisfies [string, string, string][]
    ).flatMap(([unit, many, one]): Form[] => [
      [`5 ${unit}²`, `five square ${many}`],
      [`5 ${unit}2`, `five square ${many}`],
      [`1 ${unit}³`, `one cubic ${one}`],
      [`5 ${unit}/s`, `five ${many} per second`],
      [`5 ${unit}/s²`, `five ${many} per second squared`],
      [`5 kg/${unit}³`, `five kilograms per cubic ${one}`],
      [`a 5-${unit} pole`, `a five ${one} pole`],
    ]),
    ...(
      [
        ['%', 'percent'],
        ['km', 'kilometers'],
        ['°C', 'degrees Celsius'],
      ] satisfies [string, string][]
    ).map(([unit, many]): Form => [`3,5 ${unit}`, `three point five ${many}`]),
    ...[6, 8].map((power): Form => [
      `3×10^${power} m`,
      `three times ten to the power of ${cardinal(power)} meters`,
    ]),
    ['8 fl oz', 'eight fluid ounces'],
    ['30 mpg', 'thirty miles per gallon'],
    ['3 bn people', 'three billion people'],
    ["6' tall", 'six feet tall'],
    ["a 6' fence", 'a six foot fence'],
    ["'about 5' here", "'about five' here"],
    ['12″', 'twelve inches'],
    ['a 12" pizza', 'a twelve inch pizza'],
    ['a 27" screen, one 32" screen', 'a twenty seven inch screen, one thirty two inch screen'],
    ['"about 12" or "13"', '"about twelve" or "thirteen"'],
    ['51.5°N', 'fifty one point five degrees north'],
    ['40°26′46″ W', 'forty degrees twenty six minutes forty six seconds west'],
    ['1h30', 'one hour thirty minutes'],
    ['500 sq ft', 'five hundred square feet'],
    ['1/2 mi', 'one half mile'],
    ['1 1/2 mi', 'one and one half miles'],
    ['5⅛ in. wide', 'five and one eighth inches wide'],
    ['6 ft 2 in', 'six feet two inches'],
    ["5'11 tall", 'five feet eleven inches tall'],
    ['5 L/100 km', 'five liters per one hundred kilometers'],
    ['5 cm × 3 cm', 'five centimeters by three centimeters'],
    ['1920×1080 px', 'nineteen twenty by one thousand eighty pixels'],
    ['~10%', 'about ten percent'],
    ['5\'10"', 'five feet ten inches'],
    ['40°26′46″', 'forty degrees twenty six minutes forty six seconds'],
  ],
  fractions: [
    ...[3, 5, 6, 7, 8, 10, 16].flatMap((below): Form[] => [
      [`1/${below} cup`, `one ${ordinal(below)} cup`],
      [`2/${below} cup`, `two ${ordinal(below)}s cup`],
    ]),
    ['3/1000', 'three thousandths'],
    ['½ cup', 'one half cup'],
    ['2/3rds', 'two thirds'],
    ['99/100', 'ninety nine hundredths'],
    ['4/4 time', 'four four time'],
    ['2½ cups', 'two and one half cups'],
    ['2 1/2 cups', 'two and one half cups'],
    ['¾ cup', 'three quarters cup'],
    ['9/11', 'nine eleven'],
    ['50/50', 'fifty fifty'],
  ],
  ranges: [
    ...[2, 10, 35].flatMap((value): Form[] =>
      ['-', '–', ' – '].map((dash): Form => [
        `pages ${value}${dash}${value + 5}`,
        `pages ${cardinal(value)} to ${cardinal(value + 5)}`,
      ]),
    ),
    ['1914–1918', 'nineteen fourteen to nineteen eighteen'],
    ['1st–3rd grade', 'first to third grade'],
    ['10th–12th', 'tenth to twelfth'],
    ['€5bn–€6bn', 'five billion euros to six billion euros'],
    ['Monday–Friday', 'Monday to Friday'],
    ['Mon–Fri', 'Monday to Friday'],
    ['Q1–Q3', 'Q one to Q three'],
    ['5~6', 'five to six'],
    ['UTC-5', 'UTC minus five'],
    ['Jan–Mar', 'January to March'],
    ['A–Z', 'A to Z'],
    ['May 5 – June 7', 'May fifth to June seventh'],
  ],
  ...SYMBOL_FORMS,
  ...TEXT_FORMS,
};
