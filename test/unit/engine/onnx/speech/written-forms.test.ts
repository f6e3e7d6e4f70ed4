import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeEnglish } from '../../../../../src/engine/onnx/speech/english/normalization/normalize.ts';
import { EnglishPhonemes } from '../../../../../src/engine/onnx/speech/english/phonemes.ts';
import { FORMS } from './written-forms.ts';

/** Reports of misread forms: the sounds of both texts are alike. */
const REPORTED: [written: string, right: string][] = [
  ['Closed on the 3rd of March.', 'Closed on the third of March.'],
  ['The room has 5 m².', 'The room has five square meters.'],
  ['It costs 5 €.', 'It costs five euros.'],
  ['It costs 20$ a day.', 'It costs twenty dollars a day.'],
  ['The price is 50¢.', 'The price is fifty cents.'],
  ['If x > 5, stop.', 'If x is greater than five, stop.'],
  ['If n ≤ 5, stop.', 'If n is at most five, stop.'],
  ['After World War II, she left.', 'After World War two, she left.'],
  ['Support is open 24/7.', 'Support is open twenty-four seven.'],
  ['More infor\u00admation follows.', 'More information follows.'],
  ['It costs US$5 now.', 'It costs five U.S. dollars now.'],
  ['Meet on May 5–7 here.', 'Meet on May fifth to seventh here.'],
  ['I write C# code.', 'I write C sharp code.'],
  ['It costs €1,50 today.', 'It costs one euro and fifty cents today.'],
  ['It costs €1.200,50 today.', 'It costs one thousand two hundred euros and fifty cents today.'],
  ['It has 1.000.000 people.', 'It has one million people.'],
  ['It is 5×3=15.', 'It is five times three equals fifteen.'],
  ['It is 2 x 3 x 4 = 24.', 'It is two times three times four equals twenty-four.'],
  ['The room has 5×3 m.', 'The room has five by three meters.'],
  ['The value is 0x1F.', 'The value is zero x one F.'],
  ['It is 3x faster.', 'It is three times faster.'],
  ['It is 2x as fast.', 'It is two times as fast.'],
  ['A 10x engineer.', 'A ten x engineer.'],
  ['Version v2.3.1 is out.', 'Version two point three point one is out.'],
  ['See Section §5.', 'See Section five.'],
  ['Parts I, II and III.', 'Parts one, two and three.'],
  ['Chapters IV to VI.', 'Chapters four to six.'],
  ['Parts I–IX are done.', 'Parts one to nine are done.'],
  ['A type II or III error.', 'A type two or three error.'],
  ['Super Bowl XX or XXI.', 'Super Bowl twenty or twenty-one.'],
  ['Louis XIV and XV ruled.', 'Louis the fourteenth and fifteenth ruled.'],
  ['Malcolm X and I spoke.', 'Malcolm X and I spoke.'],
  ['We saw 100s of people.', 'We saw hundreds of people.'],
  ['It has 10,000s of files.', 'It has tens of thousands of files.'],
  ['It took 100s.', 'It took one hundred seconds.'],
  ['Pay in $20s and $100s.', 'Pay in twenties and hundreds.'],
  ['On 2024-3-5 we met.', 'On March fifth, twenty twenty-four we met.'],
  ['It is 2024.3.5 now.', 'It is two thousand twenty-four point three point five now.'],
  ['It costs £10k–15k.', 'It costs ten to fifteen thousand pounds.'],
  ['It costs $1.5M-2M.', 'It costs one point five to two million dollars.'],
  ['Apt. 4B is mine.', 'Apartment four B is mine.'],
];

const american = new EnglishPhonemes('en-US');
const sounds = (text: string) => american.phonemes(normalizeEnglish(text, 'en-US'));

test.each(REPORTED)('%s', (written, right) => {
  expect(sounds(written)).toBe(sounds(right));
});

/** Words alone: hyphens, the dots of spelled letters and capitals have no sound of their own. */
function words(text: string): string {
  return text
    .replaceAll('-', ' ')
    .replace(/(?<=\b\p{Lu})\.(?=\p{Lu}\b)/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

test('the table has every kind of form', () => {
  expect(Object.values(FORMS).flat().length).toBeGreaterThan(400);
});

describe.each(Object.entries(FORMS))('%s', (_kind, forms) => {
  test.each(forms)('%s', (written, said) => {
    expect(words(normalizeEnglish(written, 'en-US'))).toBe(words(said));
    expect(words(normalizeEnglish(`We read ${written}, then stopped.`, 'en-US'))).toBe(
      words(`We read ${said}, then stopped.`),
    );
  });
});

const form = fc.constantFrom(
  ...Object.values(FORMS)
    .flat()
    .map(([written]) => written),
);
const word = fc.constantFrom('the', 'The', 'a', 'on', 'and', 'from', 'to', 'of', 'tree', 'Sunday,');

test.each(['en-US', 'en-GB'] as const)(
  'in %s, no form yields two articles, a figure or a letter that cannot be spoken',
  (english) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, form), { minLength: 1, maxLength: 6 }), (pairs) => {
        // Some forms have an article or its like.
        const text = pairs.map(([before, each]) =>
          /^(?:the|an?|every) /.test(each) ? each : `${before} ${each}`,
        );
        const said = normalizeEnglish(text.join('; '), english);
        expect(said).not.toMatch(/\b(?:the|an?) the\b/i);
        expect(said).not.toMatch(/(?!\p{Script=Latin})[\p{L}\p{N}]/u);
      }),
      { numRuns: 500 },
    );
  },
);

test('text without written forms is unchanged', () => {
  const plain = fc
    .stringMatching(/^[a-z]{2,9}$/)
    .filter((each) => !/^(?:vs|etc|approx|dept|est|vol|pp)$/.test(each));
  const sentence = fc
    .tuple(
      fc.array(plain, { minLength: 1, maxLength: 9 }),
      fc.constantFrom('.', '!', '?', ',', ';'),
    )
    .map(([each, end]) => each.join(' ') + end);
  fc.assert(
    fc.property(fc.array(sentence), (sentences) => {
      const text = sentences.join(' ');
      expect(normalizeEnglish(text, 'en-US')).toBe(text);
    }),
  );
});
