import { cardinal, digits, ordinal, roman } from './number-words.ts';

/** A written form and the words that a reader says. */
export type Form = [written: string, said: string];

/** Forms of texts, by kind: symbols, abbreviations, codes. */
export const TEXT_FORMS: Record<string, Form[]> = {
  symbols: [
    ...(
      [
        ['>', 'greater than'],
        ['<', 'less than'],
        ['≥', 'at least'],
        ['>=', 'at least'],
        ['≤', 'at most'],
        ['<=', 'at most'],
        ['≠', 'not equal to'],
        ['!=', 'not equal to'],
        ['≈', 'approximately'],
      ] satisfies Form[]
    ).flatMap(([sign, words]): Form[] => [
      [`x ${sign} 5`, `x is ${words} five`],
      [`x${sign}5`, `x is ${words} five`],
      [`5 ${sign} 3`, `five is ${words} three`],
      [`x is ${sign} 5`, `x is ${words} five`],
      [`if count ${sign} max`, `if count is ${words} max`],
    ]),
    ['takes <5 minutes', 'takes less than five minutes'],
    ['has >100 users', 'has more than one hundred users'],
    ['File > Open', 'File Open'],
    ['x<b and c>d', 'x is less than b and c is greater than d'],
    ['<b>bold</b> text', 'bold text'],
    ['C#', 'C sharp'],
    ['F#', 'F sharp'],
    ['C++ is', 'C plus plus is'],
    ['.NET', 'dot net'],
    ['#AI', 'hashtag AI'],
    ['A & B', 'A and B'],
    ['A = B', 'A equals B'],
    ['7 − 2', 'seven minus two'],
    ['7 - 2 = 5', 'seven minus two equals five'],
    ['7 × 2', 'seven times two'],
    ['7 ÷ 2', 'seven divided by two'],
    ['7 ± 2', 'seven plus or minus two'],
    ['7x2', 'seven by two'],
    ['√2', 'square root of two'],
    ['x²', 'x squared'],
    ['x³', 'x cubed'],
    ['x^n', 'x to the power of n'],
    ['p<.05', 'p is less than zero point zero five'],
    ['the word² and Smith¹', 'the word and Smith'],
    ['PR#42', 'PR number forty two'],
    ['C♯ and B♭', 'C sharp and B flat'],
    ['10⁶', 'ten to the power of six'],
    ['10⁻³', 'ten to the power of minus three'],
    ['2^8', 'two to the power of eight'],
    ['6.02×10²³', 'six point zero two times ten to the power of twenty three'],
    ['§ 5', 'section five'],
    ['16:9', 'sixteen to nine'],
    ['infor\u00admation', 'information'],
    ['word\u200bbreak', 'wordbreak'],
  ],
  'Roman numerals': [
    ...[2, 3, 4, 6, 9, 11, 14, 19].flatMap((value): Form[] => [
      [`Chapter ${roman(value)} is`, `Chapter ${cardinal(value)} is`],
      [`Rocky ${roman(value)} is`, `Rocky ${cardinal(value)} is`],
      [`Louis ${roman(value)} is`, `Louis the ${ordinal(value)} is`],
      [`the ${roman(value)} century`, `the ${ordinal(value)} century`],
    ]),
    ...[1, 5, 10, 42, 58].map((value): Form => [
      `Super Bowl ${roman(value)}`,
      `Super Bowl ${cardinal(value)}`,
    ]),
    ['World War I', 'World War one'],
    ['World War II', 'World War two'],
    ["Henry VIII's wives", "Henry the eighth's wives"],
    ['Elizabeth I of England', 'Elizabeth the first of England'],
    ['with Mary I think', 'with Mary I think'],
    ['an IV drip', 'an IV drip'],
    ['Malcolm X spoke', 'Malcolm X spoke'],
    ['the CD', 'the CD'],
  ],
  abbreviations: (
    [
      ['Dr. Smith', 'Doctor Smith'],
      ['Dr Smith', 'Doctor Smith'],
      ['Mr. Jones', 'Mister Jones'],
      ['Mr Jones', 'Mister Jones'],
      ['Mrs Jones', 'Missus Jones'],
      ['Prof. Lee', 'Professor Lee'],
      ['Gen. Lee', 'General Lee'],
      ['St. Louis', 'Saint Louis'],
      ['St Paul', 'Saint Paul'],
      ['cats vs. dogs', 'cats versus dogs'],
      ['cats vs dogs', 'cats versus dogs'],
      ['with or w/o milk', 'with or without milk'],
      ['tea w/ milk', 'tea with milk'],
      ['approx. half', 'approximately half'],
      ['c. 1500', 'circa fifteen hundred'],
      ['No. 7', 'number seven'],
      ['Fig. 7', 'figure seven'],
      ['p. 7', 'page seven'],
      ['pp. 7–9', 'pages seven to nine'],
      ['Vol. II', 'Volume two'],
      ['5 min. and more', 'five minutes and more'],
      ['a PhD student', 'a PHD student'],
      ['Mr. & Mrs. Jones', 'Mister and Missus Jones'],
      ['ch. 7', 'chapter seven'],
      ['max. 7', 'maximum seven'],
      ['a Ph.D. student', 'a PHD student'],
      ['the U.S. Army', 'the US Army'],
      ['the FBI', 'the FBI'],
      ['AT&T', 'AT and T'],
    ] satisfies Form[]
  ).map((form): Form => form),
  'phone numbers and codes': [
    ...['2025550143', '8005551234', '4159876543'].flatMap((number): Form[] => {
      const parts = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
      const [area, exchange, line] = parts;
      const said = parts.map(digits).join(', ');
      return [
        [`${area}-${exchange}-${line}`, said],
        [`(${area}) ${exchange}-${line}`, said],
        [`${area}.${exchange}.${line}`, said],
        [`1-${area}-${exchange}-${line}`, `one, ${said}`],
        [`+1 ${area}-${exchange}-${line}`, `plus one, ${said}`],
        [`${exchange}-${line}`, parts.slice(1).map(digits).join(', ')],
      ];
    }),
    ['+44 20 7946 0958', ['44', '20', '7946', '0958'].map(digits).join(', ').replace(/^/, 'plus ')],
    ['078-05-1120', ['078', '05', '1120'].map(digits).join(', ')],
    ['4111 1111 1111 1111', ['4111', '1111', '1111', '1111'].map(digits).join(', ')],
    ['CA 90210', `CA ${digits('90210')}`],
    ['202 555 0143', ['202', '555', '0143'].map(digits).join(', ')],
    ['020 7946 0958', ['020', '7946', '0958'].map(digits).join(', ')],
  ],
  addresses: (
    [
      ['https://example.com', 'example dot com'],
      ['http://example.com/', 'example dot com'],
      ['https://example.com/a', 'example dot com slash a'],
      ['https://example.com/a?b=c', 'example dot com slash a question mark b equals c'],
      ['www.example.com', 'WWW dot example dot com'],
      ['docs.example.org', 'docs dot example dot org'],
      ['https://example.com/v2', 'example dot com slash v two'],
      ['me@example.com', 'me at example dot com'],
      ['a.b@example.org', 'a dot b at example dot org'],
      ['readme.txt', 'readme dot TXT'],
      ['report.pdf', 'report dot PDF'],
      ['app.js', 'app dot JS'],
    ] satisfies Form[]
  ).map((form): Form => form),
  versions: [
    ...['1.2.3', '10.0.1', '4.17.21', '2.0.0'].flatMap((version): Form[] => {
      const said = version.split('.').map(Number).map(cardinal).join(' point ');
      return [
        [`version ${version}`, `version ${said}`],
        [`v${version} is`, `version ${said} is`],
      ];
    }),
    ...[2, 3].map((value): Form => [`v${value} is`, `version ${cardinal(value)} is`]),
    ...['192.168.0.1', '10.0.0.255'].map((address): Form => [
      address,
      address.split('.').map(Number).map(cardinal).join(' dot '),
    ]),
  ],
};
