import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeEnglish } from '../../../../../src/engine/onnx/speech/english/normalization/normalize.ts';

/** Written text → spoken text. */
const SPOKEN: Record<string, [written: string, said: string][]> = {
  numbers: [
    ['0', 'zero'],
    ['7 and 42', 'seven and forty-two'],
    ['1,234,567', 'one million two hundred thirty-four thousand five hundred sixty-seven'],
    ['10000', 'ten thousand'],
    ['3.14', 'three point one four'],
    ['.5', 'zero point five'],
    ['-5', 'minus five'],
    ['007', 'zero zero seven'],
    [
      '1000000000000000000',
      'one zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero',
    ],
    ['5-10 days', 'five to ten days'],
    ['version 1.2.3', 'version one point two point three'],
    ['#5', 'number five'],
    ['1/2, 3/4, 2/3, 22/7', 'one half, three quarters, two thirds, twenty-two over seven'],
    ['½ cup, 1½ cups', 'one half cup, one and one half cups'],
    ['2.5M users', 'two point five million users'],
    ['555-123-4567', 'five five five, one two three, four five six seven'],
    ['GPT4 x2', 'G.P.T four x two'],
  ],
  ordinals: [
    ['1st, 2nd, 3rd, 12th', 'first, second, third, twelfth'],
    ['the 21st century', 'the twenty-first century'],
    ['the 100th', 'the one hundredth'],
    ['the 40th', 'the fortieth'],
  ],
  years: [
    ['in 1984', 'in nineteen eighty-four'],
    ['in 1905', 'in nineteen oh five'],
    ['in 1900', 'in nineteen hundred'],
    ['in 2000', 'in two thousand'],
    ['in 2009', 'in two thousand nine'],
    ['in 2024', 'in twenty twenty-four'],
    ["the 1990s and the '80s", 'the nineteen nineties and the eighties'],
  ],
  dates: [
    ['2024-03-12', 'March twelfth, twenty twenty-four'],
    ['12/03/2024', 'December third, twenty twenty-four'],
    ['25/03/2024', 'March twenty-fifth, twenty twenty-four'],
    ['March 3, 2024', 'March third, twenty twenty-four'],
    ['March 3rd', 'March third'],
    ['4 July 1776', 'the fourth of July, seventeen seventy-six'],
    ['Jan. 5', 'January fifth'],
  ],
  times: [
    ['5:30 PM', 'five thirty P.M'],
    ['5:05 a.m. sharp', 'five oh five A.M sharp'],
    ['9:00', "nine o'clock"],
    ['17:05', 'seventeen oh five'],
    ['3pm', 'three P.M'],
    ['It is 3 p.m.', 'It is three P.M.'],
  ],
  money: [
    ['$3.50', 'three dollars and fifty cents'],
    ['$1', 'one dollar'],
    ['$0.99', 'ninety-nine cents'],
    ['£1.01', 'one pound and one penny'],
    ['€1,234.56', 'one thousand two hundred thirty-four euros and fifty-six cents'],
    ['¥300', 'three hundred yen'],
    ['$5 million', 'five million dollars'],
    ['$2.5bn', 'two point five billion dollars'],
    ['-$20', 'minus twenty dollars'],
  ],
  units: [
    ['5 km', 'five kilometers'],
    ['1 kg', 'one kilogram'],
    ['-5°C', 'minus five degrees Celsius'],
    ['60 mph', 'sixty miles per hour'],
    ['50%', 'fifty percent'],
    ['5-10 kg', 'five to ten kilograms'],
    ['3.5 GHz', 'three point five gigahertz'],
  ],
  abbreviations: [
    ['Dr. Smith and Mrs. Jones', 'Doctor Smith and Missus Jones'],
    ['St. Louis', 'Saint Louis'],
    ['on Main St. Nobody came.', 'on Main Street. Nobody came.'],
    ['They live on Elm Dr.', 'They live on Elm Drive.'],
    ['cats vs. dogs, etc.', 'cats versus dogs, et cetera.'],
    ['e.g. this, i.e. that', 'for example, this, that is, that'],
    ['No. 5', 'number five'],
    ['No. Never.', 'No. Never.'],
    ['the U.S. Army', 'the U.S Army'],
    ['in the U.K. He left.', 'in the U.K. He left.'],
    ['Acme Inc. It grew.', 'Acme Incorporated. It grew.'],
  ],
  acronyms: [
    ['the FBI', 'the F.B.I'],
    ['NASA', 'nasa'],
    ['two CPUs', 'two C.P.Us'],
    ['I can NOT do it', 'I can not do it'],
    ['HELLO WORLD', 'hello world'],
    ['IMPORTANT news', 'important news'],
  ],
  addresses: [
    ['https://www.example.com/a-b', 'W.W.W dot example dot com slash a dash b'],
    ['See example.org.', 'See example dot org.'],
    ['john.doe2@example.co.uk', 'john dot doe two at example dot co dot uk'],
  ],
  signs: [
    ['A & B = C + D', 'A and B equals C plus D'],
    ['me @ home', 'me at home'],
    ['**bold** _it_ `x`', "bold it 'x'"],
    ['yes 😀 👍🏽 🇨🇭 ok', 'yes ok'],
    ['wait... what – really — ok', 'wait… what — really — ok'],
    ['“a” ‘b’ «c»', '“a” \'b\' "c"'],
    ['a\u00a0b\tc\r\nd', 'a b c\nd'],
  ],
};

describe.each(Object.entries(SPOKEN))('%s', (_kind, cases) => {
  test.each(cases)('%s', (written, said) => {
    expect(normalizeEnglish(written, 'en-US')).toBe(said);
  });
});

test.each([
  ['π r', 'pi r'],
  ['the Ω', 'the omega'],
  ['Σ and ς', 'sigma and sigma'],
  ['Αθήνα', 'Αθήνα'],
])('a single Greek letter is read by its name: %s', (text, said) => {
  expect(normalizeEnglish(text, 'en-US')).toBe(said);
});

test('a British date has the day first', () => {
  expect(normalizeEnglish('12/03/2024', 'en-GB')).toBe('the twelfth of March, twenty twenty-four');
});

test('for any text, no digit is left and no word is lost', () => {
  // Long words, none of which has a meaning beside a number.
  const word = fc.stringMatching(/^[aeiou][a-z]{6,9}$/);
  const piece = fc.oneof(
    word,
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.stringMatching(/^[$£#-]?\d{1,7}([.,:/]\d{1,4})?%?$/),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(word), (before, words) => {
      const said = normalizeEnglish(`${before.join(' ')}\n${words.join(' ')}`, 'en-US');
      expect(said).not.toMatch(/[0-9]/);
      expect(said.endsWith(words.join(' '))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
