/** With a dot, before a name. */
const TITLES: Record<string, string> = {
  Dr: 'Doctor',
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Miz',
  Prof: 'Professor',
  Rev: 'Reverend',
  Gen: 'General',
  Col: 'Colonel',
  Capt: 'Captain',
  Lt: 'Lieutenant',
  Sgt: 'Sergeant',
  Sen: 'Senator',
  Rep: 'Representative',
  Gov: 'Governor',
  Pres: 'President',
  Hon: 'Honorable',
  St: 'Saint',
};

/** With a dot, anywhere. A sentence may end with one. */
const WORDS: Record<string, string> = {
  Jr: 'Junior',
  Sr: 'Senior',
  Inc: 'Incorporated',
  Ltd: 'Limited',
  Corp: 'Corporation',
  Dept: 'Department',
  approx: 'approximately',
  dept: 'department',
  est: 'established',
  vs: 'versus',
  etc: 'et cetera',
  Mt: 'Mount',
  Ft: 'Fort',
  Vol: 'Volume',
  vol: 'volume',
  pp: 'pages',
  Jan: 'January',
  Feb: 'February',
  Mar: 'March',
  Apr: 'April',
  Jun: 'June',
  Jul: 'July',
  Aug: 'August',
  Sept: 'September',
  Sep: 'September',
  Oct: 'October',
  Nov: 'November',
  Dec: 'December',
  Mon: 'Monday',
  Tue: 'Tuesday',
  Tues: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Thurs: 'Thursday',
  Fri: 'Friday',
};

/** After the name of a street. */
const STREETS: Record<string, string> = {
  Ave: 'Avenue',
  Blvd: 'Boulevard',
  Ct: 'Court',
  Dr: 'Drive',
  Hwy: 'Highway',
  Ln: 'Lane',
  Pkwy: 'Parkway',
  Pl: 'Place',
  Rd: 'Road',
  Sq: 'Square',
  St: 'Street',
};

const DIRECTIONS: Record<string, string> = { N: 'North', E: 'East', S: 'South', W: 'West' };

/** With a dot, before a number. Elsewhere these are other words. */
const BEFORE_NUMBERS: Record<string, string> = {
  Apt: 'apartment',
  No: 'number',
  no: 'number',
  Nos: 'numbers',
  Fig: 'figure',
  fig: 'figure',
  Ch: 'chapter',
  ch: 'chapter',
  ext: 'extension',
  max: 'maximum',
  min: 'minimum',
  p: 'page',
  Sec: 'section',
  sec: 'section',
  c: 'circa',
  Eq: 'equation',
};

const alternatives = (table: Record<string, string>) => Object.keys(table).join('|');
/** Words without a dot. */
const UNDOTTED: [RegExp, string][] = [
  [/\bvs\b(?!\.)/g, 'versus'],
  [/\betc\b(?!\.)/g, 'et cetera'],
  [/(?<!\w)w\/o(?!\w)/g, 'without'],
  [/(?<![\w/])b\/c(?![\w/])/g, 'because'],
  [/(?<![\w/])c\/o(?![\w/])/g, 'care of'],
  [/(?<!\w)w\/(?=\s|[a-z]{2})/g, 'with '],
  [/\bPhDs\b/g, 'PHDs'],
  [/\bPh\.?D\b(?:\.(?!\s*$|\s+\p{Lu}))?/gmu, 'PHD'],
  [/\bMr\.?(?= (?:&|and) )/g, 'Mister'],
  [/\bMr(?= \p{Lu})/gu, 'Mister'],
  [/\bMrs(?= \p{Lu})/gu, 'Missus'],
  [/\bDr(?= \p{Lu}\p{Ll})/gu, 'Doctor'],
  [/\bProf(?= \p{Lu})/gu, 'Professor'],
  [/(?<!\p{Lu}\p{Ll}+ )\bSt(?= \p{Lu}\p{Ll})/gu, 'Saint'],
];
const TITLE = new RegExp(`\\b(${alternatives(TITLES)})\\.(?=\\s+\\p{Lu})`, 'gu');
const NUMBERED = new RegExp(
  `\\b(${alternatives(BEFORE_NUMBERS)})\\.\\s*(?=\\d|[IVX]{2,}\\b)`,
  'gu',
);
/** Words that no name begins with. After an abbreviation, they begin a new sentence. */
const STARTERS =
  'A|An|And|As|At|But|By|For|He|Her|His|How|I|If|In|It|Its|My|No|Nobody|Not|On|Our|She|So|That|The|' +
  'Their|Then|There|These|They|This|To|We|What|When|Where|Who|Why|With|Yes|You|Your';
const END = String.raw`(?=\s*$|\s+(?:${STARTERS})\b)`;
/** Words before `Dr.` and `St.` that name no street. */
const NO_STREETS = 'Bye|Dear|Fort|Good|Hello|Hey|Hi|Mount|No|Ok|Please|Port|Sorry|Thanks|The|Yes';
const STREET_NAME = String.raw`(?<!\b(?:${NO_STREETS}) )(?<=\p{Lu}\p{L}* |\d(?:st|nd|rd|th) )`;
/** The house and the street, as in `12 Elm Dr, Springfield` and `5 W 42nd St`. */
const HOUSE = String.raw`(?<=\b\d+ (?:\p{Lu}[\p{L}'.]* ){0,3}(?:\p{Lu}\p{L}+|\d+\p{Ll}{2}) )`;
/** `Dr` before a name is a title, unless the name begins a sentence. */
const KIND = String.raw`(?!Dr\.?\s+(?!(?:${STARTERS})\b)\p{Lu}\p{Ll})(${alternatives(STREETS)})`;
const STREET_KINDS = [...Object.keys(STREETS), ...Object.values(STREETS)].join('|');
/** `W` in `5 W. 42nd St`. */
const DIRECTION = new RegExp(
  String.raw`(?<=\b\d+ )([NESW])\.?(?= (?:\p{Lu}\p{L}* ){0,3}(?:\p{L}+|\d+\p{Ll}{2}) (?:${STREET_KINDS})\b)`,
  'gu',
);
const STREET_UNDOTTED = new RegExp(`${HOUSE}${KIND}\\b(?!\\.)`, 'gu');
const STREET_WITHIN = new RegExp(`${STREET_NAME}${KIND}\\.`, 'gu');
const STREET_AT_END = new RegExp(String.raw`${STREET_NAME}${KIND}\.(?=\s*$|\s+\p{Lu})`, 'gmu');
const WORD = String.raw`\b(${alternatives(WORDS)})\.`;
const WORD_AT_END = new RegExp(WORD + END, 'gmu');
const WORD_WITHIN = new RegExp(WORD, 'gu');
const LETTERS = String.raw`\b((?:[A-Za-z]\.)+[A-Za-z])\.(?!\p{L})`;
const LETTERS_WITHIN = new RegExp(`${LETTERS}(?!${END})`, 'gmu');
const LETTERS_AT_END = new RegExp(LETTERS, 'gu');

/**
 * Writes abbreviations out, so that their dot does not end the sentence. At the end of a sentence the dot
 * stays. `U.S.` and `a.m.` become letters that are spelled.
 */
export function expandAbbreviations(text: string): string {
  return UNDOTTED.reduce((plain, [short, full]) => plain.replace(short, full), text)
    .replace(DIRECTION, (_, letter: string) => DIRECTIONS[letter] ?? letter)
    .replace(STREET_AT_END, (_, word: string) => `${STREETS[word] ?? word}.`)
    .replace(STREET_WITHIN, (_, word: string) => STREETS[word] ?? word)
    .replace(STREET_UNDOTTED, (word) => STREETS[word] ?? word)
    .replace(TITLE, (_, word: string) => TITLES[word] ?? word)
    .replace(NUMBERED, (_, word: string) => `${BEFORE_NUMBERS[word] ?? word} `)
    .replace(/\be\.\s?g\.,?/gi, 'for example,')
    .replace(/\bi\.\s?e\.,?/gi, 'that is,')
    .replace(WORD_AT_END, (_, word: string) => `${WORDS[word] ?? word}.`)
    .replace(WORD_WITHIN, (_, word: string) => WORDS[word] ?? word)
    .replace(LETTERS_WITHIN, (_, letters: string) => letters.toUpperCase())
    .replace(LETTERS_AT_END, (whole) => whole.toUpperCase());
}
