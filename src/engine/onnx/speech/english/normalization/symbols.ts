import { spellFormulas } from './formulas.ts';
import { decimal } from './numbers.ts';

/** Signs on the keys of a Mac, and short names of keys in a shortcut. */
const KEYS: Record<string, string> = {
  '⌘': 'Command',
  '⇧': 'Shift',
  '⌥': 'Option',
  '⌃': 'Control',
  '⎋': 'Escape',
  '⏎': 'Return',
  '⇥': 'Tab',
  '⌫': 'Backspace',
  Ctrl: 'Control',
  Cmd: 'Command',
  Esc: 'Escape',
  Del: 'Delete',
  Ins: 'Insert',
  PgUp: 'Page up',
  PgDn: 'Page down',
};
const KEY_SIGN = /[⌘⇧⌥⌃⎋⏎⇥⌫]/gu;
const KEY_NAME = /\b(?:Ctrl|Cmd)\b|(?<=[+-] ?)\b(?:Esc|Del|Ins|PgUp|PgDn)\b|\b(?:Esc|Del)(?= ?\+)/g;

/** Vulgar fractions, as decimals. */
const PARTS: Record<string, string> = { '½': '.50', '¼': '.25', '¾': '.75' };
const AMOUNT_OF_PARTS =
  /(?<=[$€£]\d[\d,]*) ?([½¼¾])(?: (?=(?:thousand|million|billion|trillion)\b))?/gu;
const PART_OF_AMOUNT =
  /([$€£]) ?(½|¼|¾|⅓|⅔|1\/2|[1-3]\/4|[12]\/3)(?! ?[\d/])(?: (thousand|million|billion|trillion)\b)?/gu;
const CURRENCIES: Record<string, string> = { $: 'dollar', '€': 'euro', '£': 'pound' };
const FRACTIONS: Record<string, string> = {
  '½': 'half',
  '1/2': 'half',
  '¼': 'quarter',
  '1/4': 'quarter',
  '¾': 'three quarters',
  '3/4': 'three quarters',
  '2/4': 'two quarters',
  '⅓': 'third',
  '1/3': 'third',
  '⅔': 'two thirds',
  '2/3': 'two thirds',
};

const RATED = String.raw`(\d+(?:\.\d)?) ?\/ ?(5|10|100)(?![\d/])`;
const RATINGS = [
  new RegExp(String.raw`(?<![\w/.])${RATED}(?=[ -](?:stars?|points?|rating|marks)\b)`, 'g'),
  new RegExp(
    String.raw`(?<=\b(?:rated|scored?|rating|rates|got|gave (?:it|this|that|them|us)|solid|strong|perfect|grade|rating of|score of)(?: an?)?:? )${RATED}`,
    'gi',
  ),
];

const STEPS: [RegExp, string | ((...groups: string[]) => string)][] = [
  [KEY_SIGN, (sign) => ` ${KEYS[sign] ?? ''} `],
  [KEY_NAME, (name) => KEYS[name] ?? name],
  [
    /(?<![★☆])(★+)(☆+)(?![★☆])/g,
    (_, full, empty) => rating(full.length, full.length + empty.length),
  ],
  [/(?<![★☆])(☆+)(?![★☆])/g, (_, empty) => rating(0, empty.length)],
  [/(?<=\d) ?[★⭐]+/gu, ' stars'],
  [/(?<![★☆])(★{2,})(?![★☆])/g, (_, full) => `${full.length} stars`],
  ...RATINGS.map((found): [RegExp, string] => [found, '$1 out of $2']),
  [
    AMOUNT_OF_PARTS,
    (found, part) =>
      (PARTS[part] ?? '').replace(found.endsWith(' ') ? /0$/ : '', '') +
      (found.endsWith(' ') ? ' ' : ''),
  ],
  [PART_OF_AMOUNT, (_, sign, part, scale) => partOfAmount(sign, part, scale)],
  // Arrows between words. Others are bullets, or point at something.
  [/(?<=[\p{L}\p{N})%"'] ?)(?:[→⟶➔➜➝]|-+>|=+>)(?= ?[\p{L}\p{N}("'$€£−-])/gu, ' to '],
  [/(?<=[\p{L}\p{N})%] ?)[⇒⟹](?= ?[\p{L}\p{N}(−-])/gu, ' implies '],
  [/(?<=[\p{L}\p{N})%] ?)[⇔⟺](?= ?[\p{L}\p{N}(−-])/gu, ' if and only if '],
  [/(?<=[\p{L}\p{N})] ?)[↔⟷](?= ?[\p{L}\p{N}(])/gu, ' and '],
  [/[↑▲] ?(?=[$€£]?\d)/gu, 'up '],
  [/[↓▼] ?(?=[$€£]?\d)/gu, 'down '],
  [/∛ ?/g, ' cube root of '],
  [/∀ ?/g, ' for all '],
  [/∃ ?/g, ' there exists '],
  [/∅/g, ' the empty set '],
  [/∉/g, ' not in '],
  [/[⊂⊆]/g, ' is a subset of '],
  [/∪/g, ' union '],
  [/∩/g, ' intersection '],
  [/¬ ?/g, ' not '],
  [/∧/g, ' and '],
  [/∨/g, ' or '],
  [/(?<=\w ?)[∝](?= ?\w)/g, ' is proportional to '],
  [/∫ ?/g, ' integral of '],
  [/∂ ?/g, ' partial '],
  [/∇ ?/g, ' del '],
  [/© ?(?=\d{4}\b)/g, 'copyright '],
  [/(?<!\S)#(?=\d+(?!st\b|nd\b|rd\b|th\b)\p{L}{2})/gu, 'hashtag '],
  [/(?<![\w.])ca?\. ?(?=\d{3,4}\b)/g, 'circa '],
  [/(?<=\()b\. ?(?=\d{4}\b)/g, 'born '],
  [/(?<=\()d\. ?(?=\d{4}\b)/g, 'died '],
  [/(?<=\blocalhost):(?=\d)/g, ' colon '],
  [/(?<=\b\d{1,3}(?:\.\d{1,3}){3})\/(?=\d{1,2}\b)/g, ' slash '],
  [/(?<=\d) ?[x×·] ?(?=10(?:\^|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]))/g, ' times '],
  [/ⁿ/g, '^n'],
  [/(?<=\b1 ?)in²/g, ' square inch'],
  [/(?<=\d ?)in²/g, ' square inches'],
  [/\bp\. ?(?=[ivx]{2,}\b)/g, 'page '],
  [/\bpp\. ?(?=[ivx]{2,}\b)/g, 'pages '],
  [/(?<!\w)Rs\.? ?(?=\d)|(?<!\w)INR(?= ?\d)/g, '₹'],
  [/(?<=\b1):(?=\d{1,3}(?:,\d{3})+\b)/g, ' to '],
  [
    /(?<=\b(?:[Cc]all(?:ed|ing)?|[Dd]ial(?:ed|ing|led|ling)?) )(911|999|112|988)\b/g,
    (number) => Array.from(number).join(' '),
  ],
  [/(?<![\w'’])['’]0(\d)(?![\w'’])/g, 'oh $1'],
  [/(?<=\b(?:of|in|since) )['’](\d\d)(?![\w'’])/g, '$1'],
  [
    /(\d+)[kK](?= (?:run|race|runs|races|walk|runner|runners)\b)/g,
    (_, count) => `${decimal(count)} K`,
  ],
];
/** A number and a K are a temperature where the text speaks of one. */
const KELVIN = /(?<=\d) K(?![\w'])/g;
const WARMTH =
  /\b(?:temperatures?|absolute zero|boils?|melts?|freezes?|cooled|heated|superconduct\w*)\b|°|\d\.\d+ K\b/i;

/** Writes in words what the normal forms of Unicode would take apart: formulas, ratings, arrows, keys. */
export function speakSymbols(text: string): string {
  const spelled = spellFormulas(text);
  const warm = WARMTH.test(spelled) ? spelled.replace(KELVIN, ' kelvin') : spelled;
  return STEPS.reduce(
    (spoken, [sign, words]) =>
      typeof words === 'string' ? spoken.replace(sign, words) : spoken.replace(sign, words),
    warm,
  );
}

function rating(full: number, all: number): string {
  return `${decimal(String(full))} out of ${decimal(String(all))} stars`;
}

/** `$½ million` → `half a million dollars` */
function partOfAmount(sign: string, part: string, scale: string | undefined): string {
  const [name, words] = [CURRENCIES[sign] ?? '', FRACTIONS[part] ?? ''];
  const article = /^(?:quarter|third)$/.test(words) ? 'a ' : '';
  const of = words === 'half' ? ' a ' : ' of a ';
  return article + words + of + (scale === undefined ? name : `${scale} ${name}s`);
}
